package io.hereabouts.resolver.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.resolver.kafka.ChangeSetAssembly.Numbered;
import io.hereabouts.schemas.kafka.ChangeSetHeader;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ChangeSetAssemblyTest {

    private final ChangeSetAssembly assembly = new ChangeSetAssembly();

    @Test
    void shouldHandOutNothingBeforeItIsComplete() {
        add(5, 2, "a");
        assertThat(assembly.next()).isNull();
        assertThat(assembly.isHeldUp()).isFalse();

        add(5, 2, "b");

        Numbered whole = Objects.requireNonNull(assembly.next());
        assertThat(whole.version()).isEqualTo(5);
        assertThat(whole.changes().deletes()).containsExactlyInAnyOrder(EntityId.of("a"), EntityId.of("b"));
        assertThat(assembly.next()).isNull();
    }

    @Test
    void shouldHandOutInTheOrderOfVersions() {
        add(9, 1, "late");
        add(5, 2, "a");

        assertThat(assembly.next()).isNull();
        assertThat(assembly.isHeldUp()).isTrue();
        add(5, 2, "b");

        assertThat(Objects.requireNonNull(assembly.next()).version()).isEqualTo(5);
        assertThat(Objects.requireNonNull(assembly.next()).version()).isEqualTo(9);
    }

    @Test
    void shouldGiveUpWhatHasBeenCompactedAway() {
        add(5, 3, "a");
        add(9, 1, "b");

        assertThat(assembly.force().changes().deletes()).containsExactly(EntityId.of("a"));
        assertThat(assembly.isHeldUp()).isFalse();
        assertThat(Objects.requireNonNull(assembly.next()).version()).isEqualTo(9);
    }

    private void add(long version, int records, String id) {
        assembly.add(new ChangeSetHeader(version, records), changes -> changes.delete(EntityId.of(id)));
    }
}
