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
        assertThat(assembly.next(5)).isNull();

        add(5, 2, "b");

        Numbered whole = Objects.requireNonNull(assembly.next(5));
        assertThat(whole.version()).isEqualTo(5);
        assertThat(whole.changes().deletes()).containsExactlyInAnyOrder(EntityId.of("a"), EntityId.of("b"));
        assertThat(assembly.next(5)).isNull();
        assertThat(assembly.last()).isZero();
    }

    /** An earlier one may still come from another partition. */
    @Test
    void shouldHandOutNothingThatWasNotKnownWhenTheEndsWereAskedFor() {
        add(9, 1, "late");
        assertThat(assembly.last()).isEqualTo(9);
        add(5, 1, "a");
        add(12, 1, "b");

        assertThat(Objects.requireNonNull(assembly.next(9)).version()).isEqualTo(5);
        assertThat(Objects.requireNonNull(assembly.next(9)).version()).isEqualTo(9);
        assertThat(assembly.next(9)).isNull();
        assertThat(assembly.last()).isEqualTo(12);
    }

    @Test
    void shouldHandOutWhatIsLeftOfOneBeforeTheKnownOne() {
        add(5, 3, "a");
        add(9, 2, "b");

        assertThat(Objects.requireNonNull(assembly.next(9)).changes().deletes()).containsExactly(EntityId.of("a"));
        assertThat(assembly.next(9)).isNull();
        assertThat(Objects.requireNonNull(assembly.force()).version()).isEqualTo(9);
        assertThat(assembly.force()).isNull();
    }

    private void add(long version, int records, String id) {
        assembly.add(new ChangeSetHeader(version, records), changes -> changes.delete(EntityId.of(id)));
    }
}
