package io.hereabouts.bridge.loop;

import io.hereabouts.bridge.kafka.Lease;
import io.hereabouts.bridge.kafka.PublicationWriter;
import io.hereabouts.bridge.subscription.Subscriptions;
import io.hereabouts.schemas.kafka.Generation;
import io.hereabouts.schemas.kafka.Generations;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the edge from one generation of Kafka topics to the next. While there are two, interests have to be active in
 * both; the lease says when all of them are. Publications go to the new one at a word, and the lease says when those to
 * the old one are settled. No client notices anything.
 */
public final class GenerationChange implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(GenerationChange.class);

    private final EdgeLoop loop;
    private final TopicCatalogue topics;
    private final PublicationWriter writer;
    private final Subscriptions subscriptions;
    private final Lease lease;
    private final Clock clock;

    private volatile boolean closing;
    private Generations known;

    /** @param topics as the settings have them; any generation will do */
    public GenerationChange(
            EdgeLoop loop,
            TopicCatalogue topics,
            Generations known,
            PublicationWriter writer,
            Subscriptions subscriptions,
            Lease lease,
            Clock clock) {
        this.loop = loop;
        this.topics = topics;
        this.known = known;
        this.writer = writer;
        this.subscriptions = subscriptions;
        this.lease = lease;
        this.clock = clock;
    }

    /** These are the generations from now on. For one thread, which waits for Kafka. */
    public void changed(Generations now) {
        for (Generation generation : now.all()) {
            awaitTopic(topics.at(generation).publications());
        }
        if (closing) {
            return;
        }
        loop.execute(() -> {
            known = now;
            subscriptions.generations(now.all().stream().map(Generation::number).toList(), clock.millis());
        });
        Generation published = now.published();
        if (!published.equals(writer.generation())) {
            LOG.info("publications go to {} from now on", published);
            var unused =
                    writer.switchTo(topics.at(published)).thenRunAsync(() -> lease.writesTo(published.number()), loop);
        }
    }

    /** Looks whether the next generation is ready for this edge. On the edge's thread. */
    public void tick() {
        int next = known.next().orElse(known.current()).number();
        if (subscriptions.areActiveIn(next)) {
            lease.readyFor(next);
        }
    }

    private void awaitTopic(String topic) {
        try {
            while (!closing && !writer.learn(topic)) {
                LOG.warn("waits for the Kafka topic {}", topic);
            }
        } catch (InterruptedException e) {
            closing = true;
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closing = true;
    }
}
