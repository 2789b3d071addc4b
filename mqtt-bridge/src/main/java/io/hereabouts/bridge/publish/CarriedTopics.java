package io.hereabouts.bridge.publish;

import io.hereabouts.model.topic.TopicFilter;
import java.util.List;

/**
 * The topics whose messages without entity edges carry to each other. Topics that begin with {@code $} are each broker's own
 * (MQTT 5 section 4.7.2) and never among them. Immutable.
 */
public final class CarriedTopics {

    /** None. */
    public static final CarriedTopics NONE = new CarriedTopics(List.of());

    private final List<TopicFilter> filters;

    private CarriedTopics(List<TopicFilter> filters) {
        this.filters = filters;
    }

    /** @throws IllegalArgumentException if one is no topic filter, or begins with {@code $}, shared ones among them */
    public static CarriedTopics of(List<String> filters) {
        for (String filter : filters) {
            if (filter.startsWith("$")) {
                throw new IllegalArgumentException(
                        "'" + filter + "' begins with '$', expected a topic filter that does not");
            }
        }
        return new CarriedTopics(filters.stream().map(TopicFilter::parse).toList());
    }

    public boolean isEmpty() {
        return filters.isEmpty();
    }

    /** Whether messages on this topic name are carried. */
    public boolean matches(String topic) {
        for (TopicFilter filter : filters) {
            if (!topic.startsWith("$") && filter.matches(topic)) {
                return true;
            }
        }
        return false;
    }
}
