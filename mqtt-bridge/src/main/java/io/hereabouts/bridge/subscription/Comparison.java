package io.hereabouts.bridge.subscription;

import io.hereabouts.model.topic.TopicFilter;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * In what the broker's subscriptions and the edge's differ, which a crash between two of the writes of a SUBSCRIBE or an
 * UNSUBSCRIBE leaves behind. While the edge runs, one of the two is always a little ahead: only a difference that was
 * there the last time, too, is one. Owned by one thread.
 */
public final class Comparison {

    /** What is to be done. */
    public interface Repairs {
        /**
         * The client has a neighborhood at the broker that nobody remembers: it has to subscribe anew.
         *
         * @param brokerFilter as the broker has it
         */
        void endSession(String client, String brokerFilter);

        /** The broker has a plain subscription that the edge does not serve. */
        void serve(Subscription plain);

        /** The broker has a topic filter of statuses that the edge does not know of. */
        void tell(String client, TopicFilter statuses);

        /** The edge serves what the broker does not have. */
        void forget(Subscription subscription);
    }

    /** Something that only one of the two has. */
    public interface Difference {
        void repair(Repairs repairs);
    }

    private record Unremembered(String client, String brokerFilter) implements Difference {
        @Override
        public void repair(Repairs repairs) {
            repairs.endSession(client, brokerFilter);
        }
    }

    private record Unserved(Subscription plain) implements Difference {
        @Override
        public void repair(Repairs repairs) {
            repairs.serve(plain);
        }
    }

    private record Untold(String client, TopicFilter statuses) implements Difference {
        @Override
        public void repair(Repairs repairs) {
            repairs.tell(client, statuses);
        }
    }

    private record Unstored(Subscription subscription) implements Difference {
        @Override
        public void repair(Repairs repairs) {
            repairs.forget(subscription);
        }
    }

    /** Whether a client is told of statuses on a topic filter. */
    public interface Told {
        boolean test(String client, TopicFilter statuses);
    }

    /** What the edge serves, as of one moment. */
    public record Served(List<Subscription> subscriptions, Told told) {}

    private Set<Difference> last = Set.of();

    /** Compares while no client is connected: every difference is one. */
    public List<Difference> atRest(Collection<BrokerSubscription> brokers, Served served) {
        return List.copyOf(differences(brokers, served));
    }

    /** Compares while clients come and go. */
    public List<Difference> again(Collection<BrokerSubscription> brokers, Served served) {
        Set<Difference> now = differences(brokers, served);
        Set<Difference> before = last;
        last = now;
        return now.stream().filter(before::contains).toList();
    }

    private static Set<Difference> differences(Collection<BrokerSubscription> brokers, Served edges) {
        Set<Difference> differences = new LinkedHashSet<>();
        Set<At> stored = new HashSet<>();
        brokers.forEach(b -> stored.add(new At(b.client(), b.topicFilter())));
        Set<At> served = new HashSet<>();
        for (Subscription subscription : edges.subscriptions()) {
            At at = new At(subscription.client(), subscription.brokerFilter());
            served.add(at);
            if (!stored.contains(at)) {
                differences.add(new Unstored(subscription));
            }
        }
        for (BrokerSubscription b : brokers) {
            String filter = b.topicFilter();
            boolean serves = served.contains(new At(b.client(), filter));
            if (HiddenTopics.isHidden(filter)) {
                if (!serves) {
                    differences.add(new Unremembered(b.client(), filter));
                }
            } else if (HiddenTopics.isStatus(filter)) {
                TopicFilter statuses = TopicFilter.parse(filter);
                if (!edges.told().test(b.client(), statuses)) {
                    differences.add(new Untold(b.client(), statuses));
                }
            } else if (!filter.startsWith("$") && !serves) {
                differences.add(new Unserved(Subscription.plain(b.client(), TopicFilter.parse(filter), b.options())));
            }
        }
        return differences;
    }

    /** Where a subscription is at the broker. */
    private record At(String client, String topicFilter) {}
}
