package io.hereabouts.resolver.kafka;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Asks where partitions end now, over a connection of its own: on that of a consumer that polls, the question would wait
 * behind the fetch that waits for records, half a second by default. For one thread.
 */
final class TopicEnds implements AutoCloseable {

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<TopicPartition> partitions;

    /** @param settings of a consumer without group; its isolation level says whether what is not committed counts */
    TopicEnds(Map<String, Object> settings, Collection<TopicPartition> partitions) {
        this.consumer = new KafkaConsumer<>(settings);
        this.partitions = List.copyOf(partitions);
    }

    /** The end of each partition. */
    Map<TopicPartition, Long> now() {
        return consumer.endOffsets(partitions);
    }

    @Override
    public void close() {
        consumer.close();
    }
}
