package io.hereabouts.resolver.filters;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.TopicFilter;
import io.hereabouts.resolver.filters.Reply.Outcome;
import io.hereabouts.resolver.world.Footprint;
import io.hereabouts.resolver.world.MissingEntities;
import io.hereabouts.resolver.world.Resolution;
import io.hereabouts.resolver.world.UnknownReferences;
import io.hereabouts.resolver.world.WorldChange;
import io.hereabouts.schemas.kafka.Partitions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.locationtech.jts.geom.Envelope;

class FilterRegistryTest {

    private static final int PARTITIONS = 4;
    private static final NeighborhoodId ID = NeighborhoodId.of("0123456789abcdef0123456789abcdef");
    private static final NeighborhoodId SAME_HANDLE = NeighborhoodId.of("0123456789abcdefffffffffffffffff");

    private static final NeighborhoodId OTHER = NeighborhoodId.of("fedcba9876543210fedcba9876543210");

    private static final EntityId GONE = EntityId.of("zone/gone");

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
        next.reconcile(Map.of(), 7, 0);

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

        assertThat(next.reconcile(Map.of(interest(ID), "a"), 7, 0).isEmpty()).isTrue();
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

        assertThat(next.reconcile(Map.of(interest(ID), "a"), 7, 0).resolutions())
                .hasSize(1);
    }

    @Test
    void shouldResolveAgainOnlyWhatAChangeTouches() {
        registry.join(request(ID, 1), "a");
        registry.resolved(ID, filter(0, 1), 0);
        registry.join(request(OTHER, 2), "b");
        registry.resolved(OTHER, filter(1, "other", 2), 0);

        Reaction reaction = registry.changed(change(2, "here"), 0);

        assertThat(reaction.lookedAt()).isEqualTo(2);
        assertThat(reaction.affected()).isEqualTo(1);
        assertThat(reaction.decision().resolutions())
                .extracting(Decision.Resolve::neighborhood)
                .containsExactly(ID);
        assertThat(registry.seen()).isEqualTo(2);
    }

    @Test
    void shouldMoveSlicesAndInterestsToWhereTheEntitiesAre() {
        touch();

        List<Write> writes = registry.resolved(ID, filter(2, "here", 1, 2), 0).writes();

        assertThat(writes)
                .filteredOn(Write.PutSlice.class::isInstance)
                .extracting(Write::partition)
                .containsExactly(1, 2);
        assertThat(writes)
                .filteredOn(Write.PutInterest.class::isInstance)
                .extracting(Write::partition)
                .containsExactly(2);
        assertThat(writes)
                .filteredOn(Write.DropInterest.class::isInstance)
                .extracting(Write::partition)
                .containsExactly(0);
        assertThat(writes)
                .filteredOn(Write.DropSlice.class::isInstance)
                .extracting(Write::partition)
                .containsExactly(0);
    }

    @Test
    void shouldWriteNothingIfTheResultIsTheSame() {
        touch();

        assertThat(registry.resolved(ID, filter(2, "here", 0, 1), 0).isEmpty()).isTrue();
        assertThat(registry.join(request(ID, 2), "a").replies())
                .extracting(Reply::worldVersion)
                .containsExactly(2L);
    }

    @Test
    void shouldResolveAgainOneAtATimeAndWhoWaitsFirst() {
        registry.join(request(ID, 1), "a");
        registry.resolved(ID, filter(0, 1), 0);
        registry.join(request(OTHER, 2), "b");
        registry.resolved(OTHER, filter(0, 1), 0);

        NeighborhoodId first = registry.changed(change(2, "here"), 0)
                .decision()
                .resolutions()
                .get(0)
                .neighborhood();
        NeighborhoodId second = first.equals(ID) ? OTHER : ID;

        assertThat(registry.waitingRefreshes()).isEqualTo(1);
        assertThat(registry.join(request(second, 3), "a").resolutions())
                .extracting(Decision.Resolve::neighborhood)
                .containsExactly(second);
        assertThat(registry.waitingRefreshes()).isZero();
        assertThat(registry.resolved(first, filter(2, "here", 0), 0).resolutions())
                .isEmpty();
        assertThat(registry.resolved(second, filter(2, "here", 0), 0).replies())
                .extracting(reply -> reply.request().requestId())
                .containsExactly(3L);
    }

    @Test
    void shouldApplyWhatCameDuringAResolutionBeforeItAnswers() {
        registry.join(request(ID, 1), "a");
        registry.changed(change(2, "here"), 0);

        Decision early = registry.resolved(ID, filter(0, 1), 0);
        Decision late = registry.resolved(ID, filter(2, "here", 0), 0);

        assertThat(early.replies()).isEmpty();
        assertThat(early.writes()).isEmpty();
        assertThat(early.resolutions()).hasSize(1);
        assertThat(late.replies()).extracting(Reply::worldVersion).containsExactly(2L);
    }

    @Test
    void shouldKeepWhatIsHeldWhileTheWorldCannotBeAskedAndTryAgain() {
        touch();

        Decision kept = registry.refused(ID, new Refusal(0x97, "away"), 1_000);
        assertThat(kept.writes()).isEmpty();
        assertThat(kept.replies()).isEmpty();
        assertThat(registry.due(5_999).isEmpty()).isTrue();
        assertThat(registry.due(6_000).resolutions()).singleElement().satisfies(resolve -> {
            assertThat(resolve.descriptor()).isEqualTo("a");
            assertThat(resolve.unknown()).isEqualTo(UnknownReferences.LEAVE_OUT);
        });
    }

    @Test
    void shouldTellEachEdgeOnceWhatBecameOfItsNeighborhood() {
        registry.join(request(ID, 1), "a");
        Interest second = new Interest(ID, TopicFilter.parse("noise/#"), EdgeId.of("e"));
        Interest elsewhere = new Interest(ID, TopicFilter.parse("air/#"), EdgeId.of("f"));
        registry.join(new Request(second, 2, new Input(0, 2)), "a");
        registry.join(new Request(elsewhere, 3, new Input(0, 3)), "a");
        assertThat(registry.resolved(ID, filter(0, 1), 0).statuses()).isEmpty();
        registry.changed(change(2, "here"), 0);

        Decision decision = registry.resolved(ID, without("zone/gone", filter(2, "here", 0)), 0);

        assertThat(decision.statuses())
                .containsExactly(new Status(
                        ID, Set.of(EdgeId.of("e"), EdgeId.of("f")), 2, 1, List.of(EntityId.of("zone/gone")), ""));
    }

    @Test
    void shouldTellOnceThatANeighborhoodCannotBeResolvedAgainAndWhenItCould() {
        touch();

        assertThat(registry.refused(ID, new Refusal(0x97, "too many"), 1_000).statuses())
                .containsExactly(new Status(ID, Set.of(EdgeId.of("e")), 1, 2, List.of(), "too many"));
        registry.due(6_000);
        assertThat(registry.refused(ID, new Refusal(0x97, "too many"), 6_000).statuses())
                .isEmpty();
        registry.due(11_000);
        assertThat(registry.resolved(ID, filter(2, "here", 0, 1), 11_000).statuses())
                .containsExactly(new Status(ID, Set.of(EdgeId.of("e")), 2, 2, List.of(), ""));
    }

    @Test
    void shouldRefuseWhoComesWhenAReferenceIsGoneAndKeepWhoIsThere() {
        touch();
        Interest late = new Interest(ID, TopicFilter.parse("air/#"), EdgeId.of("late"));
        registry.join(new Request(late, 2, new Input(0, 2)), "a");

        Decision decision = registry.resolved(ID, without("zone/gone", filter(2, "here", 0)), 0);

        assertThat(decision.replies()).singleElement().satisfies(reply -> {
            assertThat(reply.request().interest()).isEqualTo(late);
            assertThat(Objects.requireNonNull(reply.refusal()).reason()).contains("unknown entity 'zone/gone'");
        });
        assertThat(decision.writes())
                .filteredOn(Write.PutSlice.class::isInstance)
                .hasSize(1);
        assertThat(decision.writes())
                .filteredOn(Write.DropInterest.class::isInstance)
                .extracting(Write::partition)
                .containsExactly(1);
    }

    @Test
    void shouldResolveEverythingAgainWhenTheWorldIsAnother() {
        registry.join(request(ID, 1), "a");
        registry.resolved(ID, filter(9, "here", 0), 0);

        Reaction reaction = registry.changed(WorldChange.everything(3), 0);

        assertThat(reaction.decision().resolutions()).hasSize(1);
        assertThat(registry.seen()).isEqualTo(3);
        registry.resolved(ID, filter(3, "here", 0), 0);
        assertThat(registry.changed(change(4, "here"), 0).affected()).isEqualTo(1);
    }

    @Test
    void shouldNotKeepForARefusedRequestWhatNobodyHolds() {
        touch();
        registry.resolved(ID, without("zone/gone", filter(2, "here", 0)), 0);
        registry.leave(interest(ID), new Input(0, 1), 1_000);

        Interest late = new Interest(ID, TopicFilter.parse("air/#"), EdgeId.of("late"));
        registry.join(new Request(late, 2, new Input(0, 2)), "a");
        registry.due(1_100);

        assertThat(registry.size()).isZero();
    }

    @Test
    void shouldKeepWhatIsThereWhenTheWorldCannotBeAsked() {
        FilterRegistry next = successor();

        assertThat(next.reconcile(Map.of(interest(ID), "a"), 0, 0).isEmpty()).isTrue();
        assertThat(next.seen()).isEqualTo(7);
        assertThat(next.join(request(ID, 1), "a").replies())
                .extracting(Reply::outcome)
                .containsExactly(Outcome.KNOWN);
    }

    @Test
    void shouldResolveAgainWhatAFormerOwnerResolvedInALaterWorld() {
        FilterRegistry next = successor();

        assertThat(next.reconcile(Map.of(interest(ID), "a"), 6, 0).resolutions())
                .hasSize(1);
        assertThat(next.seen()).isEqualTo(6);
    }

    @Test
    void shouldFollowTheWorldFromTheOldestSlices() {
        FilterRegistry next = successor();

        assertThat(next.reconcile(Map.of(interest(ID), "a"), 9, 0).isEmpty()).isTrue();
        assertThat(next.seen()).isEqualTo(7);
        assertThat(next.changed(change(8, "anywhere"), 0).affected()).isZero();
        assertThat(next.changed(change(9, "here"), 0).affected()).isEqualTo(1);
    }

    @Test
    void shouldRefuseWhoComesAfterATakeOverWhenAReferenceIsGoneAndTellWhoIsThere() {
        FilterRegistry next = successorWithReference();

        assertThat(next.references()).containsExactly(GONE);
        assertThat(next.checked(new MissingEntities(7, Set.of(GONE))).statuses())
                .containsExactly(new Status(ID, Set.of(EdgeId.of("e")), 7, 1, List.of(GONE), ""));
        assertThat(next.references()).isEmpty();

        Decision late = next.join(new Request(newcomer(), 2, new Input(0, 2)), "a");
        assertThat(late.resolutions()).isEmpty();
        assertThat(late.writes()).isEmpty();
        assertThat(late.replies()).singleElement().satisfies(reply -> assertThat(
                        Objects.requireNonNull(reply.refusal()).reason())
                .contains("unknown entity '" + GONE + "'"));
        assertThat(next.join(request(ID, 3), "a").replies())
                .extracting(Reply::outcome)
                .containsExactly(Outcome.KNOWN);
    }

    @Test
    void shouldAdmitWhoComesAfterATakeOverWhenNoReferenceIsGone() {
        FilterRegistry next = successorWithReference();
        next.checked(new MissingEntities(7, Set.of()));

        assertThat(next.join(new Request(newcomer(), 2, new Input(0, 2)), "a").replies())
                .extracting(Reply::outcome)
                .containsExactly(Outcome.KNOWN);
    }

    @Test
    void shouldResolveForWhoComesBeforeReferencesCouldBeLookedFor() {
        FilterRegistry next = successorWithReference();

        assertThat(next.join(request(ID, 1), "a").replies())
                .extracting(Reply::outcome)
                .containsExactly(Outcome.KNOWN);
        Decision late = next.join(new Request(newcomer(), 2, new Input(0, 2)), "a");
        assertThat(late.replies()).isEmpty();
        assertThat(late.resolutions())
                .extracting(Decision.Resolve::unknown)
                .containsExactly(UnknownReferences.LEAVE_OUT);
        assertThat(next.resolved(ID, without(GONE.value(), filter(7, "here", 0)), 0)
                        .replies())
                .singleElement()
                .satisfies(reply -> assertThat(reply.refusal()).isNotNull());
        assertThat(next.references()).isEmpty();
    }

    @Test
    void shouldTellHowANeighborhoodIsWhenTheChangesUpToTheCheckAreKnown() {
        FilterRegistry next = successorWithReference();

        assertThat(next.checked(new MissingEntities(9, Set.of())).statuses()).isEmpty();
        assertThat(next.changed(change(8, "anywhere"), 0).decision().statuses()).isEmpty();
        assertThat(next.changed(change(9, "anywhere"), 0).decision().statuses())
                .containsExactly(new Status(ID, Set.of(EdgeId.of("e")), 9, 1, List.of(), ""));
        assertThat(next.changed(change(10, "anywhere"), 0).decision().statuses())
                .isEmpty();
    }

    /** A neighborhood in two partitions is held, and resolved again because the world changes. */
    private void touch() {
        registry.join(request(ID, 1), "a");
        registry.resolved(ID, filter(0, 1), 0);
        registry.changed(change(2, "here"), 0);
    }

    /** Takes over a neighborhood of one entity that was resolved in version 7. */
    private static FilterRegistry successor() {
        FilterInventory inventory = new FilterInventory(id -> true);
        inventory.slicePut(0, ID, new Stamp(1, 1), 1, 1, 7);
        inventory.interestPut(0, interest(ID), new Stamp(1, 1));
        return registry(inventory, 2);
    }

    /** The same; the neighborhood has a reference. */
    private static FilterRegistry successorWithReference() {
        FilterInventory inventory = new FilterInventory(id -> true);
        inventory.slicePut(0, ID, new Stamp(1, 1), 1, 1, 7);
        inventory.interestPut(0, interest(ID), new Stamp(1, 1));
        FilterRegistry next = new FilterRegistry(
                inventory,
                2,
                PARTITIONS,
                100,
                1,
                descriptor -> new Footprint(Set.of(GONE), footprint("here").reaches()));
        assertThat(next.reconcile(Map.of(interest(ID), "a"), 7, 0).isEmpty()).isTrue();
        return next;
    }

    private static Interest newcomer() {
        return new Interest(ID, TopicFilter.parse("air/#"), EdgeId.of("late"));
    }

    private static FilterRegistry registry(FilterInventory inventory, long epoch) {
        return new FilterRegistry(inventory, epoch, PARTITIONS, 100, 1, descriptor -> footprint("here"));
    }

    private static Footprint footprint(String category) {
        return new Footprint(Set.of(), List.of(new Footprint.Reach(List.of(Category.of(category)), true, List.of())));
    }

    private static WorldChange change(long version, String category) {
        return WorldChange.of(
                version,
                List.of(new WorldChange.Touched(
                        EntityId.of("e"), Set.of(Category.of(category)), List.of(new Envelope(0, 1, 0, 1)))));
    }

    private static SpatialFilter without(String reference, SpatialFilter filter) {
        return new SpatialFilter(
                filter.worldVersion(),
                filter.total(),
                filter.slices(),
                filter.digest(),
                List.of(EntityId.of(reference)),
                filter.footprint());
    }

    private static Request request(NeighborhoodId id, long requestId) {
        return new Request(interest(id), requestId, new Input(0, requestId));
    }

    private static Interest interest(NeighborhoodId id) {
        return new Interest(id, TopicFilter.parse("air/#"), EdgeId.of("e"));
    }

    /** A filter with one entity in each of these partitions. */
    private static SpatialFilter filter(int... partitions) {
        return filter(1, "here", partitions);
    }

    private static SpatialFilter filter(long worldVersion, String category, int... partitions) {
        List<EntityId> entities = IntStream.of(partitions)
                .mapToObj(p -> IntStream.iterate(0, i -> i + 1)
                        .mapToObj(i -> EntityId.of("e" + i))
                        .filter(e -> Partitions.partitionOf(e, PARTITIONS) == p)
                        .findFirst()
                        .orElseThrow())
                .sorted()
                .toList();
        return SpatialFilter.of(
                new Resolution(worldVersion, List.of(entities), entities, List.of(), footprint(category)), PARTITIONS);
    }
}
