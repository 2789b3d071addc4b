package io.hereabouts.schemas.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.avro.EdgeLease;
import io.hereabouts.schemas.avro.EdgeRemoval;
import io.hereabouts.schemas.avro.Owner;
import io.hereabouts.schemas.kafka.EdgeRegister.Lease;
import io.hereabouts.schemas.kafka.EdgeRegister.Removal;
import io.hereabouts.schemas.record.Framing;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EdgeRegisterTest {

    private static final EdgeId EDGE = EdgeId.of("x");
    private static final EdgeId OTHER = EdgeId.of("x.other");

    private final EdgeRegister register = new EdgeRegister();
    private long offset;

    @Test
    void shouldKnowWhoHasTheLease() {
        heartbeat(EDGE, "one", 100);
        heartbeat(EDGE, "two", 120);
        heartbeat(OTHER, "one", 130);

        assertThat(register.lease(EDGE)).isEqualTo(new Lease("two", "host-two", 2, 3, 1, 120));
        assertThat(read(150, Keys.lease(EDGE), null)).contains(new EdgeNews(EDGE, EdgeNews.Kind.LEASE_GONE));
        assertThat(register.lease(EDGE)).isNull();
        assertThat(register.lease(OTHER)).isEqualTo(new Lease("one", "host-one", 2, 3, 2, 130));
        assertThat(register.end()).isEqualTo(4);
    }

    /** A heartbeat that a host dated into the next century is as old as Kafka says. */
    @Test
    void shouldCompareTimesOfKafkaOnly() {
        heartbeat(EDGE, "one", 1_000);
        heartbeat(OTHER, "one", 5_050);

        assertThat(register.silentFor(Duration.ofMillis(4_051))).isEmpty();
        assertThat(register.silentFor(Duration.ofMillis(4_050))).containsExactly(EDGE);
        read(9_100, Keys.probe(), null);
        assertThat(register.silentFor(Duration.ofMillis(4_050))).containsExactlyInAnyOrder(EDGE, OTHER);
        heartbeat(EDGE, "one", 9_500);
        assertThat(register.silentFor(Duration.ofMillis(4_050))).containsExactly(OTHER);
    }

    @Test
    void shouldKnowWhichRemovalsAreUnderWay() {
        assertThat(remove(EDGE, "WITHDRAWING")).contains(new EdgeNews(EDGE, EdgeNews.Kind.REMOVAL));
        assertThat(register.removal(EDGE)).isEqualTo(new Removal(RemovalPhase.WITHDRAWING, "h", 0, 7));
        remove(EDGE, "DELETING");
        assertThat(register.removals()).containsExactly(EDGE);
        read(8, Keys.edgeRemoval(EDGE), null);

        assertThat(register.removals()).isEmpty();
        assertThat(register.lease(EDGE)).isNull();
    }

    @Test
    void shouldTellQuestionsFromHeartbeatsAndSkipWhatIsNeither() {
        assertThat(read(1, Keys.leaseQuestion(OTHER), null)).contains(new EdgeNews(OTHER, EdgeNews.Kind.QUESTION));
        assertThat(read(1, Keys.probe(), null)).isEmpty();
        assertThat(read(1, Keys.lease(EDGE), new byte[] {1, 2})).isEmpty();
        assertThat(read(1, Keys.lease(EDGE), Framing.encode(new Owner("o")))).isEmpty();
        assertThat(remove(EDGE, "UNHEARD_OF")).isEmpty();
        assertThat(read(1, "no edge id!".getBytes(StandardCharsets.UTF_8), null))
                .isEmpty();
        assertThat(register.hasLeases()).isFalse();
        assertThat(register.removals()).isEmpty();
    }

    private Optional<EdgeNews> remove(EdgeId edge, String phase) {
        return read(7, Keys.edgeRemoval(edge), Framing.encode(new EdgeRemoval(phase, "h")));
    }

    private void heartbeat(EdgeId edge, String run, long at) {
        assertThat(read(
                        at,
                        Keys.lease(edge),
                        Framing.encode(new EdgeLease("host-" + run, "d", 2, 4_102_444_800_000L, 3, run))))
                .contains(new EdgeNews(edge, EdgeNews.Kind.HEARTBEAT));
    }

    private Optional<EdgeNews> read(long at, byte[] key, byte @Nullable [] value) {
        return register.read(offset++, at, key, value);
    }
}
