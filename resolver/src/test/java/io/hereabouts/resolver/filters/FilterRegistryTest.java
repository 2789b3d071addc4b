package io.hereabouts.resolver.filters;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.TopicFilter;
import io.hereabouts.resolver.filters.Reply.Outcome;
import io.hereabouts.resolver.world.Footprint;
import io.hereabouts.resolver.world.Resolution;
import io.hereabouts.schemas.kafka.Partitions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FilterRegistryTest {

    private static final int PARTITIONS = 4;
    private static final NeighborhoodId ID = NeighborhoodId.of("0123456789abcdef0123456789abcdef");
    private static final NeighborhoodId SAME_HANDLE = NeighborhoodId.of("0123456789abcdefffffffffffffffff");

    private final FilterRegistry registry = registry(new FilterInventory(id -> true), 1);

    @Test
    void shouldRefuseASecondNeighborhoodOfOneHandleAndForgetNothing() {
        registry.join(request(ID, 1), "a");
        registry.resolved(ID, filter(0, 1), 0);

        Decision second = registry.join(request(SAME_HANDLE, 2), "b");

        assertThat(second.writes()).isEmpty();
        assertThat(second.resolutions()).isEmpty();
        assertThat(second.replies()).singleElement().satisfies(reply -> {
            Refusal refusal = Objects.requireNonNull(reply.refusal());
            assertThat(refusal.reasonCode()).isEqualTo(0x83);
            assertThat(refusal.reason()).contains("same handle").contains(ID.value());
        });
        assertThat(registry.join(request(ID, 3), "a").replies())
                .extracting(Reply::outcome)
                .containsExactly(Outcome.KNOWN);
        assertThat(registry.size()).isEqualTo(1);
    }

    @Test
    void shouldPutBothNeighborhoodsOfAHandleIntoOnePartition() {
        assertThat(Partitions.partitionOf(ID, 12)).isEqualTo(Partitions.partitionOf(SAME_HANDLE, 12));
    }

    @Test
    void shouldFreeTheHandleWhenTheNeighborhoodIsGone() {
        registry.join(request(ID, 1), "a");
        registry.refused(ID, new Refusal(0x83, "unknown"), 0);

        assertThat(registry.size()).isZero();
        assertThat(registry.join(request(SAME_HANDLE, 2), "b").resolutions()).hasSize(1);
    }

    @Test
    void shouldKeepSlicesForTheTimeSetAndNoLonger() {
        registry.join(request(ID, 1), "a");
        registry.resolved(ID, filter(0, 1), 0);
        registry.leave(interest(ID), new Input(0, 1), 1_000);

        assertThat(registry.due(1_099).isEmpty()).isTrue();
        assertThat(registry.due(1_100).writes())
                .allMatch(w -> w instanceof Write.DropSlice)
                .extracting(Write::partition)
                .containsExactlyInAnyOrder(0, 1);
        assertThat(registry.size()).isZero();
    }

    @Test
    void shouldKeepSlicesThatAreWantedAgain() {
        registry.join(request(ID, 1), "a");
        registry.resolved(ID, filter(0, 1), 0);
        registry.leave(interest(ID), new Input(0, 1), 1_000);
        registry.join(request(ID, 2), "a");

        assertThat(registry.due(Long.MAX_VALUE).isEmpty()).isTrue();
    }

    @Test
    void shouldRemoveWhatANewResolutionNoLongerConcerns() {
        FilterInventory inventory = new FilterInventory(id -> true);
        inventory.slicePut(0, ID, new Stamp(1, 1), 1, 2, 7);
        inventory.slicePut(3, ID, new Stamp(1, 1), 1, 2, 7);
        FilterRegistry next = registry(inventory, 2);
        next.reconcile(Map.of(), 0);

        assertThat(next.join(request(ID, 1), "a").resolutions()).hasSize(1);
        List<Write> writes = next.resolved(ID, filter(0, 1), 0).writes();

        assertThat(writes)
                .filteredOn(w -> w instanceof Write.DropSlice)
                .extracting(Write::partition)
                .containsExactly(3);
        assertThat(writes)
                .filteredOn(w -> w instanceof Write.PutInterest)
                .extracting(Write::partition)
                .containsExactly(0, 1);
        assertThat(writes).allMatch(w -> w.stamp().epoch() == 2);
    }

    @Test
    void shouldRelyOnCompleteSlicesThatAreHeld() {
        FilterInventory inventory = new FilterInventory(id -> true);
        inventory.slicePut(0, ID, new Stamp(1, 1), 1, 2, 7);
        inventory.slicePut(1, ID, new Stamp(1, 1), 1, 2, 7);
        inventory.interestPut(0, interest(ID), new Stamp(1, 1));
        inventory.interestPut(1, interest(ID), new Stamp(1, 1));
        FilterRegistry next = registry(inventory, 2);

        assertThat(next.reconcile(Map.of(interest(ID), "a"), 0).isEmpty()).isTrue();
        assertThat(next.join(request(ID, 1), "a").replies()).singleElement().satisfies(reply -> {
            assertThat(reply.outcome()).isEqualTo(Outcome.KNOWN);
            assertThat(reply.worldVersion()).isEqualTo(7);
            assertThat(reply.entityCount()).isEqualTo(2);
        });
    }

    @Test
    void shouldNotRelyOnSlicesOfAnUnfinishedResolution() {
        FilterInventory inventory = new FilterInventory(id -> true);
        inventory.slicePut(0, ID, new Stamp(1, 1), 1, 2, 7);
        FilterRegistry next = registry(inventory, 2);

        assertThat(next.reconcile(Map.of(interest(ID), "a"), 0).resolutions()).hasSize(1);
    }

    private static FilterRegistry registry(FilterInventory inventory, long epoch) {
        return new FilterRegistry(inventory, epoch, PARTITIONS, 100);
    }

    private static Request request(NeighborhoodId id, long requestId) {
        return new Request(interest(id), requestId, new Input(0, requestId));
    }

    private static Interest interest(NeighborhoodId id) {
        return new Interest(id, TopicFilter.parse("air/#"), EdgeId.of("e"));
    }

    /** A filter with one entity in each of these partitions. */
    private static SpatialFilter filter(int... partitions) {
        List<EntityId> entities = IntStream.of(partitions)
                .mapToObj(p -> IntStream.iterate(0, i -> i + 1)
                        .mapToObj(i -> EntityId.of("e" + i))
                        .filter(e -> Partitions.partitionOf(e, PARTITIONS) == p)
                        .findFirst()
                        .orElseThrow())
                .sorted()
                .toList();
        return SpatialFilter.of(
                new Resolution(1, List.of(entities), entities, List.of(), new Footprint(Set.of(), List.of())),
                PARTITIONS);
    }
}
