package io.hereabouts.perf.mqtt;

import com.hivemq.client.mqtt.datatypes.MqttTopic;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.replay.mqtt.MqttAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A service beside a plain broker that takes every publication, asks PostGIS in which zones its entity is and publishes it
 * again for each of them. Publications of one entity stay in order: one worker, with a connection of its own, has them all.
 */
final class QueryService implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(QueryService.class);
    private static final long END_SECONDS = 10;

    /** @param queries of this thread only */
    private record Worker(ExecutorService thread, Zones.Lookup queries) {}

    private final String prefix;
    private final List<Worker> workers = new ArrayList<>();
    private final List<MqttClient> clients = new ArrayList<>();

    private QueryService(String prefix) {
        this.prefix = prefix;
    }

    /**
     * Connects and subscribes.
     *
     * @param prefix of the topic names; the last level of each is the number of a road
     */
    static QueryService start(MqttAddress broker, String prefix, int qos, int workers, Zones zones)
            throws MeasurementException, InterruptedException {
        QueryService service = new QueryService(prefix);
        try {
            for (int w = 0; w < workers; w++) {
                service.workers.add(new Worker(Executors.newSingleThreadExecutor(), zones.lookup()));
            }
            String name = prefix.replace('/', '-');
            MqttClient out = MqttClient.connect(broker, name + "-out", m -> {});
            service.clients.add(out);
            MqttClient in = MqttClient.connect(broker, name + "-in", m -> service.received(m, out));
            service.clients.add(in);
            MqttClient.Answer answer = in.subscribe(prefix + "/+", qos, null, "");
            if (answer.refused()) {
                throw new MeasurementException("SUBSCRIBE was refused: " + answer.refusal());
            }
            return service;
        } catch (MeasurementException | RuntimeException | InterruptedException e) {
            service.close();
            throw e;
        }
    }

    /** Topic filter of what is published again for a zone. */
    static String topicFilter(String prefix, int zone) {
        return prefix + "/" + GridWorld.zoneId(zone) + "/+";
    }

    private void received(Mqtt5Publish message, MqttClient out) {
        String number = message.getTopic()
                .getLevels()
                .get(message.getTopic().getLevels().size() - 1);
        int road = Integer.parseInt(number);
        Worker worker = workers.get(road % workers.size());
        worker.thread().execute(() -> {
            try {
                for (String zone : worker.queries().zonesOf(GridWorld.id(road))) {
                    var unused = out.publish(message.extend()
                            .topic(MqttTopic.of(prefix + "/" + zone + "/" + number))
                            .build());
                }
            } catch (MeasurementException e) {
                // the copies are missed in the books
                LOG.warn("nobody gets a publication of {}: {}", GridWorld.id(road), e.getMessage());
            }
        });
    }

    @Override
    public void close() {
        clients.forEach(MqttClient::close);
        for (Worker worker : workers) {
            worker.thread().shutdown();
            try (Zones.Lookup queries = worker.queries()) {
                if (!worker.thread().awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
                    LOG.warn("{} still works", queries);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
