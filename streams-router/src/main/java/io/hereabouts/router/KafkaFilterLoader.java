package io.hereabouts.router;

import io.hereabouts.schemas.avro.Owner;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.record.Framing;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.streams.errors.StreamsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads partitions of {@code filters} from Kafka: one producer for the Owner records of all tasks, a consumer without
 * group for each load. {@link #load} runs on stream threads, several at a time.
 */
final class KafkaFilterLoader implements FilterLoader, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaFilterLoader.class);
    private static final Duration ACK_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration STALL_TIMEOUT = Duration.ofSeconds(10);
    private static final int REHEARSED_OFFSETS = 2_000;
    private static final Duration POLL = Duration.ofMillis(100);

    private final String topic;
    private final RouterConfig config;
    private final RouterMetrics metrics;
    private final Producer<byte[], byte[]> owners;
    private volatile boolean closing;

    KafkaFilterLoader(RouterConfig config, RouterMetrics metrics) {
        this.topic = config.topics().filters();
        this.config = config;
        this.metrics = metrics;
        Map<String, Object> settings = config.kafka().producer("hereabouts-router-owner");
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, ACK_TIMEOUT.toMillis());
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) ACK_TIMEOUT.toMillis());
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) ACK_TIMEOUT.toMillis() / 2);
        this.owners = new KafkaProducer<>(settings);
    }

    @Override
    public long load(int partition, String owner, RecordSink sink) {
        long begin = System.nanoTime();
        long own = announce(partition, owner);
        long records = readBeyond(new TopicPartition(topic, partition), own, sink);
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        metrics.loaded(took);
        LOG.info("{}-{}: loaded {} records in {} ms, owner {}", topic, partition, records, took.toMillis(), own);
        return own;
    }

    /**
     * Reads the beginning of a partition to no avail: the first load of a process takes seconds, most of them for classes that
     * are not loaded yet, and partitions that have been given to it stand still meanwhile.
     */
    void rehearse(RecordSink sink) {
        TopicPartition first = new TopicPartition(topic, 0);
        try (Consumer<byte[], byte[]> consumer = consumer()) {
            long end = consumer.endOffsets(List.of(first)).getOrDefault(first, 0L);
            long begin = consumer.beginningOffsets(List.of(first)).getOrDefault(first, 0L);
            readBeyond(first, Math.min(end, begin + REHEARSED_OFFSETS) - 1, sink);
        } catch (KafkaException e) {
            LOG.info("{}: not read ahead of the first load: {}", first, e.toString());
        }
    }

    private long announce(int partition, String owner) {
        byte[] value = Framing.encode(Owner.newBuilder().setOwner(owner).build());
        try {
            return owners.send(new ProducerRecord<>(topic, partition, Keys.owner(), value))
                    .get(2 * ACK_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .offset();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TimeoutException timeout) {
                throw timeout;
            }
            throw new StreamsException("no Owner record in " + topic + "-" + partition, e.getCause());
        } catch (java.util.concurrent.TimeoutException e) {
            throw new TimeoutException("no answer to an Owner record in " + topic + "-" + partition, e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private long readBeyond(TopicPartition partition, long offset, RecordSink sink) {
        long records = 0;
        try (Consumer<byte[], byte[]> consumer = consumer()) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long position = consumer.position(partition);
            long progressed = System.nanoTime();
            while (position <= offset) {
                metrics.toLoad(partition, offset + 1 - position);
                if (closing) {
                    throw new TimeoutException("router closes while " + partition + " is loaded");
                }
                ConsumerRecords<byte[], byte[]> some = consumer.poll(POLL);
                for (ConsumerRecord<byte[], byte[]> record : some) {
                    sink.accept(record.key(), record.value(), record.headers());
                }
                records += some.count();
                long reached = consumer.position(partition);
                if (reached > position) {
                    position = reached;
                    progressed = System.nanoTime();
                } else if (System.nanoTime() - progressed > STALL_TIMEOUT.toNanos()) {
                    throw new TimeoutException("load of " + partition + " stands at offset " + position + " of "
                            + offset + " for " + STALL_TIMEOUT.toSeconds() + " s");
                }
            }
        } finally {
            metrics.loadEnds(partition);
        }
        return records;
    }

    private Consumer<byte[], byte[]> consumer() {
        Map<String, Object> settings = config.kafka().consumer("hereabouts-router-load");
        settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 10);
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 10_000);
        settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) STALL_TIMEOUT.toMillis());
        settings.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) STALL_TIMEOUT.toMillis() / 2);
        if (config.guarantee() == RouterConfig.Guarantee.EXACTLY_ONCE) {
            settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        }
        return new KafkaConsumer<>(settings);
    }

    /** Lets loads that are under way give up. */
    void abandon() {
        closing = true;
    }

    @Override
    public void close() {
        abandon();
        owners.close(Duration.ofSeconds(5));
    }
}
