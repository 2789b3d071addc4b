package io.hereabouts.schemas.kafka;

import java.util.Map;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/**
 * How far consumers are behind, from the metrics that Kafka's client keeps anyway: two numbers out of the hundreds that it
 * has, and none of its own series in our exposition. No state.
 */
public final class ConsumerLag {

    private ConsumerLag() {}

    /**
     * Records of the Kafka topic that have not been read, over all its partitions, as of the last fetch of each.
     *
     * @param metrics of one consumer, or of all consumers of a Kafka Streams application
     * @return NaN before the first fetch
     */
    public static double of(Map<MetricName, ? extends Metric> metrics, String topic) {
        double lag = Double.NaN;
        for (Map.Entry<MetricName, ? extends Metric> entry : metrics.entrySet()) {
            MetricName name = entry.getKey();
            if (name.name().equals("records-lag")
                    && topic.equals(name.tags().get("topic"))
                    && entry.getValue().metricValue() instanceof Double records
                    && !records.isNaN()) {
                lag = (Double.isNaN(lag) ? 0 : lag) + records;
            }
        }
        return lag;
    }
}
