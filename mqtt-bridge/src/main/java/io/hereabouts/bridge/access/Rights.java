package io.hereabouts.bridge.access;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.topic.TopicFilter;
import java.util.List;
import java.util.Optional;

/** What one client may do: whatever one of these covers, and nothing else. Immutable; equal if they say the same. */
public final class Rights {

    record Publish(List<TopicFilter> topics, About about) {
        Publish {
            topics = List.copyOf(topics);
        }
    }

    record Subscribe(List<TopicFilter> topics, Within within) {
        Subscribe {
            topics = List.copyOf(topics);
        }
    }

    private final List<Publish> publishing;
    private final List<Subscribe> subscribing;

    Rights(List<Publish> publishing, List<Subscribe> subscribing) {
        this.publishing = List.copyOf(publishing);
        this.subscribing = List.copyOf(subscribing);
    }

    /**
     * Whether the client may publish.
     *
     * @param topic a valid topic name, as subscribers will see it
     * @param entity that the publication is about
     */
    public boolean mayPublish(String topic, Optional<EntityId> entity, Places places) {
        for (Publish right : publishing) {
            if (right.topics().stream().anyMatch(filter -> filter.matches(topic))
                    && right.about().covers(entity, places)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether the client may subscribe.
     *
     * @param topicFilter without {@code $share/group/}
     * @param neighborhood empty for a plain subscription
     */
    public boolean maySubscribe(TopicFilter topicFilter, Optional<NeighborhoodDescriptor> neighborhood) {
        for (Subscribe right : subscribing) {
            if (right.topics().stream().anyMatch(granted -> Coverage.covers(granted, topicFilter))
                    && right.within().covers(neighborhood)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Rights rights
                && publishing.equals(rights.publishing)
                && subscribing.equals(rights.subscribing);
    }

    @Override
    public int hashCode() {
        return 31 * publishing.hashCode() + subscribing.hashCode();
    }
}
