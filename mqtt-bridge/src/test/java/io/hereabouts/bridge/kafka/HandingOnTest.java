package io.hereabouts.bridge.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.ShareName;
import io.hereabouts.model.topic.TopicFilter;
import io.hereabouts.schemas.kafka.HandedOn;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.junit.jupiter.api.Test;

class HandingOnTest {

    private static final HandedOn HEADER = new HandedOn(
            new Interest(
                    NeighborhoodId.ofCanonical("n"), TopicFilter.parse("a"), new ShareName("g"), EdgeId.of("here")),
            1);
    private static final int MEBIBYTE = 1 << 20;

    private final List<String> sent = new ArrayList<>();
    private final List<CompletableFuture<Void>> atKafka = new ArrayList<>();
    private final HandingOn handingOn = new HandingOn(
            (qos, entity, publication, header) -> {
                sent.add(entity.value());
                CompletableFuture<Void> answer = new CompletableFuture<>();
                atKafka.add(answer);
                return answer;
            },
            Runnable::run);

    private CompletableFuture<Void> on(int qos, String entity, int bytes) {
        return handingOn.on(qos, EntityId.of(entity), new byte[bytes], HEADER);
    }

    @Test
    void shouldHaveFourMebibytesUnderwayAtATime() {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int n = 0; n < 6; n++) {
            all.add(on(1, "e" + n, MEBIBYTE));
        }
        assertThat(sent).containsExactly("e0", "e1", "e2", "e3");

        atKafka.get(1).complete(null);

        assertThat(sent).containsExactly("e0", "e1", "e2", "e3", "e4");
        assertThat(all.get(1)).isCompleted();
        assertThat(all.get(0)).isNotDone();
    }

    @Test
    void shouldTryAgainInOrderWhatThereWasNoRoomFor() {
        CompletableFuture<Void> first = on(1, "e0", 1);
        CompletableFuture<Void> second = on(2, "e1", 1);
        atKafka.get(0).completeExceptionally(new BufferExhaustedException("full"));
        atKafka.get(1).completeExceptionally(new BufferExhaustedException("full"));
        CompletableFuture<Void> third = on(1, "e2", 1);
        assertThat(sent).as("nothing overtakes").containsExactly("e0", "e1");

        handingOn.tick();

        assertThat(sent).containsExactly("e0", "e1", "e0", "e1", "e2");
        assertThat(first).isNotDone();
        atKafka.get(2).complete(null);
        atKafka.get(3).complete(null);
        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
        assertThat(third).isNotDone();
    }

    @Test
    void shouldGiveUpWhatKafkaNeverTakesAndQos0AtOnce() {
        CompletableFuture<Void> tooLarge = on(2, "e0", 1);
        CompletableFuture<Void> qos0 = on(0, "e1", 1);
        atKafka.get(0).completeExceptionally(new RecordTooLargeException("no"));
        atKafka.get(1).completeExceptionally(new BufferExhaustedException("full"));
        assertThat(tooLarge).isCompletedExceptionally();
        assertThat(qos0).isCompletedExceptionally();

        handingOn.tick();

        assertThat(sent).containsExactly("e0", "e1");
    }
}
