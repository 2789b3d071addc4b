package io.hereabouts.resolver.filters;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.TopicFilter;
import io.hereabouts.resolver.world.Footprint;
import io.hereabouts.resolver.world.UnknownReferences;
import io.hereabouts.resolver.world.WorldChange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Edges join and leave at random and the world changes, while the owner is killed between any two writes, and what it had
 * on its way may still arrive after its successor has begun. After every step whatever was answered and not left is active
 * to a router that follows live, with every change that the owner had been told before it answered; in the end both views
 * of {@code filters} are what a resolution from scratch gives, every request has its answer, and every edge was told how
 * its neighborhoods are. Nobody new gets a neighborhood whose reference the owner knows to be gone.
 */
class FilterRegistrySimulationTest {

    private static final int PARTITIONS = 4;
    private static final int STEPS = 400;
    private static final long LINGER = 12;
    private static final long RETRY = 10_000;

    static LongStream seeds() {
        return LongStream.concat(LongStream.rangeClosed(1, 200), LongStream.of(new Random().nextLong()));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldEndWithWhatResolutionFromScratchGives(long seed) {
        new Simulation(seed, false).run();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldOutliveLateWritesOfAFormerOwner(long seed) {
        new Simulation(seed, true).run();
    }

    /** Whom something is told about what. */
    private record Told(EdgeId edge, NeighborhoodId neighborhood) {}

    /** What is told. */
    private record News(long version, int entities, List<EntityId> missing, String failure) {}

    /** A record of the topic that edges write; a tombstone has no request id. */
    private record Said(Interest interest, @Nullable Long requestId) {}

    private static final class Simulation {
        final long seed;
        final boolean late;
        final Random random;
        final SimulatedWorld world;
        final Set<NeighborhoodId> unknown = new HashSet<>();
        final List<Interest> interests = new ArrayList<>();

        final List<Said> log = new ArrayList<>();
        final SimulatedFilters filters = new SimulatedFilters();
        final Set<Long> answered = new HashSet<>();
        /** Answered as active, and not left since. */
        final Set<Interest> promised = new HashSet<>();
        /** The version of the world that each neighborhood's slices are at least from. */
        final Map<NeighborhoodId, Long> installed = new HashMap<>();
        /** The last that each edge was told of what it holds. */
        final Map<Told, News> told = new HashMap<>();
        /** Writes of former owners that have not arrived yet. */
        final Deque<Write> onTheirWay = new ArrayDeque<>();

        /** The world can be asked from now on, whenever it has to be. */
        boolean settles;

        long clock;
        long committed;
        Owner owner;

        Simulation(long seed, boolean late) {
            this.seed = seed;
            this.late = late;
            this.random = new Random(seed);
            this.world = new SimulatedWorld(random);
            for (int n = 0; n < 7; n++) {
                NeighborhoodId id = NeighborhoodId.ofCanonical("n" + n);
                world.add(id, new int[] {0, 1, 2, 3, 5, 9, 1}[n]);
                if (n == 6) {
                    unknown.add(id);
                }
                for (String edge : List.of("a", "b")) {
                    interests.add(new Interest(id, TopicFilter.parse("t/#"), EdgeId.of(edge)));
                }
            }
            interests.add(new Interest(NeighborhoodId.EVERYWHERE, TopicFilter.parse("t/#"), EdgeId.of("a")));
            owner = new Owner();
        }

        void run() {
            try {
                for (int i = 0; i < STEPS; i++) {
                    step();
                }
                settles = true;
                owner.finish();
                while (!onTheirWay.isEmpty()) {
                    arrive();
                    check();
                }
                owner.finish();
                clock += LINGER + RETRY;
                owner.perform(owner.registry.due(clock), Integer.MAX_VALUE);
                owner.finish();
                clock += LINGER;
                owner.perform(owner.registry.due(clock), Integer.MAX_VALUE);
                Map<String, String> expected =
                        SimulatedFilters.expected(held(log.size()).keySet(), world, PARTITIONS);
                assertThat(filters.live()).isEqualTo(expected);
                assertThat(filters.last()).isEqualTo(expected);
                assertIsTold();
                for (Said said : log) {
                    if (said.requestId != null) {
                        assertThat(answered).contains(said.requestId);
                    }
                }
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + "L, late writes " + late, e);
            }
        }

        /** Each edge knows, of what it holds, what a resolution from scratch gives. */
        void assertIsTold() {
            for (Interest interest : held(log.size()).keySet()) {
                NeighborhoodId id = interest.neighborhood();
                News news = told.get(new Told(interest.edge(), id));
                if (!id.isEverywhere()) {
                    assertThat(Objects.requireNonNull(news, "nothing was told of " + interest))
                            .as("%s", interest)
                            .isEqualTo(new News(news.version, world.members(id).size(), world.unknown(id), ""));
                }
            }
        }

        void step() {
            clock += random.nextInt(5);
            int die = random.nextInt(100);
            if (die < 8) {
                NeighborhoodId id =
                        interests.get(random.nextInt(interests.size())).neighborhood();
                if (id.isEverywhere() || random.nextInt(4) == 0) {
                    world.touch(id);
                } else if (random.nextInt(3) == 0) {
                    world.changeReference(id);
                } else {
                    world.change(id);
                }
            } else if (die < 14) {
                owner.tell(Integer.MAX_VALUE);
            } else if (die < 30) {
                Interest interest = interests.get(random.nextInt(interests.size()));
                // an answer to a repeated request says how the neighborhood is, even if nobody was told
                if (random.nextInt(4) == 0 || !held(log.size()).containsKey(interest)) {
                    log.add(new Said(interest, (long) log.size()));
                }
            } else if (die < 44) {
                Interest interest = interests.get(random.nextInt(interests.size()));
                leave(interest);
            } else if (die < 70) {
                owner.read(Integer.MAX_VALUE);
            } else if (die < 85) {
                owner.resolveOne(Integer.MAX_VALUE);
            } else if (die < 90) {
                owner.perform(owner.registry.due(clock), Integer.MAX_VALUE);
            } else if (die < 93) {
                committed = owner.frontier();
            } else if (die < 95) {
                arrive();
            } else {
                int writes = random.nextInt(4);
                switch (random.nextInt(5)) {
                    case 0 -> owner.read(writes);
                    case 1 -> owner.resolveOne(writes);
                    case 2 -> owner.tell(writes);
                    default -> owner.perform(owner.registry.due(clock), writes);
                }
                owner = new Owner();
            }
            check();
        }

        void leave(Interest interest) {
            promised.remove(interest);
            told.remove(new Told(interest.edge(), interest.neighborhood()));
            log.add(new Said(interest, null));
        }

        void check() {
            Map<String, String> live = filters.live();
            Set<Interest> settled = new HashSet<>(promised);
            settled.removeIf(i -> installed.getOrDefault(i.neighborhood(), 0L) < world.changed(i.neighborhood()));
            SimulatedFilters.expected(settled, world, PARTITIONS)
                    .forEach((key, value) -> assertThat(live).containsEntry(key, value));
        }

        void arrive() {
            Write write = onTheirWay.poll();
            if (write != null) {
                filters.append(write);
                if (random.nextInt(3) == 0) {
                    // killed before it saw the late write: the next owner finds it behind a newer one
                    owner = new Owner();
                    return;
                }
                Decision decision = write instanceof Write.PutInterest w
                        ? owner.registry.observed(w.partition(), w.interest(), w.stamp())
                        : write instanceof Write.DropInterest w
                                ? owner.registry.observed(w.partition(), w.interest(), w.stamp())
                                : write instanceof Write.PutSlice w
                                        ? owner.registry.observed(w.partition(), w.neighborhood(), w.stamp())
                                        : owner.registry.observed(
                                                write.partition(),
                                                ((Write.DropSlice) write).neighborhood(),
                                                write.stamp());
                owner.perform(decision, Integer.MAX_VALUE);
            }
        }

        private static String descriptor(Interest interest) {
            return interest.neighborhood().value();
        }

        /** What edges hold of what can be resolved. */
        Map<Interest, String> held(int end) {
            Map<Interest, String> held = new LinkedHashMap<>();
            for (Said said : log.subList(0, end)) {
                if (said.requestId == null) {
                    held.remove(said.interest);
                } else if (!unknown.contains(said.interest.neighborhood())) {
                    held.put(said.interest, descriptor(said.interest));
                }
            }
            return held;
        }

        /** One owner from its take-over to its end. */
        private final class Owner {
            final FilterRegistry registry;
            final TreeSet<Long> unfinished = new TreeSet<>();
            /** What a resolution found, once it has looked. */
            final Map<NeighborhoodId, Optional<SpatialFilter>> resolving = new HashMap<>();
            /** Resolutions that are refused if the reference is gone. */
            final Set<NeighborhoodId> strict = new HashSet<>();
            /** What it holds, by its own replies. */
            final Set<Interest> admitted = new HashSet<>();
            /** How often each resolution began again. */
            final Map<NeighborhoodId, Integer> overtaken = new HashMap<>();

            final long loadedEnd = log.size();
            long next = committed;
            /** The version in which the world was asked for references; 0 if it could not be. */
            long checked;

            Owner() {
                FilterInventory inventory = filters.inventory();
                long epoch = inventory.highestEpoch() + 1;
                for (Write write : onTheirWay) {
                    // the claim that comes with each commit
                    epoch = Math.max(epoch, write.stamp().epoch() + 1);
                }
                registry = new FilterRegistry(inventory, epoch, PARTITIONS, LINGER, 1, this::unresolved);
                long version = random.nextInt(10) == 0 ? 0 : world.version();
                admitted.addAll(held(log.size()).keySet());
                perform(registry.reconcile(held(log.size()), version, clock), Integer.MAX_VALUE);
                if (random.nextInt(10) > 0) {
                    check(Integer.MAX_VALUE);
                }
            }

            /** The world says which references are gone. */
            void check(int writes) {
                if (checked == 0) {
                    checked = world.version();
                    perform(registry.checked(world.missing(registry.references())), writes);
                }
            }

            /** The next change of the world. */
            void tell(int writes) {
                check(writes);
                long seen = registry.seen();
                if (seen == 0) {
                    perform(
                            registry.changed(WorldChange.everything(world.version()), clock)
                                    .decision(),
                            writes);
                    return;
                }
                for (WorldChange change : world.after(seen)) {
                    perform(registry.changed(change, clock).decision(), writes);
                }
            }

            private Footprint unresolved(String descriptor) {
                return SimulatedWorld.footprint(NeighborhoodId.of(descriptor));
            }

            long frontier() {
                return unfinished.isEmpty() ? next : unfinished.first();
            }

            void read(int writes) {
                if (next == log.size()) {
                    return;
                }
                long offset = next++;
                Said said = log.get((int) offset);
                Input input = new Input(0, offset);
                unfinished.add(offset);
                if (said.requestId != null) {
                    perform(
                            registry.join(new Request(said.interest, said.requestId, input), descriptor(said.interest)),
                            writes);
                } else if (overtaken(said.interest, offset)) {
                    unfinished.remove(offset);
                } else {
                    admitted.remove(said.interest);
                    perform(registry.leave(said.interest, input, clock), writes);
                }
            }

            private boolean overtaken(Interest interest, long offset) {
                for (long later = offset + 1; later < loadedEnd; later++) {
                    if (log.get((int) later).interest.equals(interest)) {
                        return true;
                    }
                }
                return false;
            }

            /** Looks at the world for one resolution, or brings what was found some time ago. */
            void resolveOne(int writes) {
                List<NeighborhoodId> all = resolving.keySet().stream().sorted().toList();
                if (all.isEmpty()) {
                    return;
                }
                NeighborhoodId id = all.get(random.nextInt(all.size()));
                Optional<SpatialFilter> found = resolving.getOrDefault(id, Optional.empty());
                if (found.isEmpty()) {
                    found = Optional.of(world.resolve(id, PARTITIONS));
                    resolving.put(id, found);
                    if (random.nextBoolean()) {
                        return;
                    }
                }
                resolving.remove(id);
                boolean refuses =
                        strict.contains(id) && !found.orElseThrow().unknown().isEmpty();
                if (unknown.contains(id) || refuses) {
                    perform(registry.refused(id, new Refusal(0x83, "unknown"), clock), writes);
                } else if (!settles && random.nextInt(8) == 0 && nobodyWaits(id)) {
                    perform(registry.refused(id, new Refusal(0x97, "unavailable"), clock), writes);
                } else {
                    Decision decision = registry.resolved(id, found.orElseThrow(), clock);
                    if (decision.resolutions().stream()
                            .anyMatch(again -> again.neighborhood().equals(id))) {
                        overtaken.merge(id, 1, Integer::sum);
                    } else if (decision.writes().size() <= writes) {
                        installed.put(id, found.orElseThrow().worldVersion());
                    } else {
                        installed.remove(id);
                    }
                    perform(decision, writes);
                    if (!resolving.containsKey(id)) {
                        overtaken.remove(id);
                    }
                }
            }

            private boolean nobodyWaits(NeighborhoodId id) {
                return unfinished.stream().noneMatch(offset -> log.get(offset.intValue())
                        .interest
                        .neighborhood()
                        .equals(id));
            }

            void finish() {
                while (next < log.size() || !resolving.isEmpty() || registry.seen() < world.version()) {
                    tell(Integer.MAX_VALUE);
                    read(Integer.MAX_VALUE);
                    resolveOne(Integer.MAX_VALUE);
                }
            }

            /** Writes so many records and no more; this owner is then dead, tells nobody, and what is left may arrive later. */
            void perform(Decision decision, int writes) {
                for (int i = 0; i < decision.writes().size(); i++) {
                    if (i < writes) {
                        if (late) {
                            filters.append(decision.writes().get(i));
                        } else {
                            filters.appendInOrder(decision.writes().get(i));
                        }
                    } else if (late) {
                        onTheirWay.add(decision.writes().get(i));
                    }
                }
                if (decision.writes().size() >= writes) {
                    return;
                }
                for (Decision.Resolve resolve : decision.resolutions()) {
                    assertThat(resolving.put(resolve.neighborhood(), Optional.empty()))
                            .as("one resolution at a time of %s", resolve.neighborhood())
                            .isNull();
                    strict.remove(resolve.neighborhood());
                    if (resolve.unknown() == UnknownReferences.REFUSE) {
                        strict.add(resolve.neighborhood());
                    }
                }
                decision.done().forEach(input -> unfinished.remove(input.offset()));
                for (Reply reply : decision.replies()) {
                    Input input = reply.request().input();
                    if (input != null) {
                        unfinished.remove(input.offset());
                    }
                    answered.add(reply.request().requestId());
                    boolean stillHeld =
                            held(log.size()).containsKey(reply.request().interest());
                    if (reply.refusal() == null && stillHeld && lastSaid(reply.request())) {
                        promised.add(reply.request().interest());
                    }
                    if (reply.refusal() == null) {
                        Interest interest = reply.request().interest();
                        told.merge(
                                new Told(interest.edge(), interest.neighborhood()),
                                new News(reply.worldVersion(), reply.entityCount(), List.of(), ""),
                                (before, now) -> before.version < now.version ? now : before);
                        assertHasWhatWasTold(interest.neighborhood());
                        if (admitted.add(interest)) {
                            assertIsAdmittedRightly(interest.neighborhood());
                        }
                    } else {
                        refused(reply.request());
                    }
                }
                decision.statuses().forEach(s -> s.edges()
                        .forEach(edge -> told.put(
                                new Told(edge, s.neighborhood()),
                                new News(s.worldVersion(), s.entityCount(), s.missing(), s.failure()))));
            }

            /** What cannot be resolved at all is not held anyway. */
            private void refused(Request request) {
                NeighborhoodId id = request.interest().neighborhood();
                if (!unknown.contains(id)) {
                    assertThat(world.lacksReference(id) || world.referenceChanged(id) > registry.seen())
                            .as("%s was refused for a reason", request)
                            .isTrue();
                    if (lastSaid(request)) {
                        leave(request.interest());
                    }
                }
            }

            private void assertIsAdmittedRightly(NeighborhoodId id) {
                long known = Math.max(checked, registry.seen());
                if (!id.isEverywhere() && world.referenceChanged(id) <= known && overtaken.getOrDefault(id, 0) < 3) {
                    assertThat(world.lacksReference(id))
                            .as("the reference of %s, which somebody new got, is gone", id)
                            .isFalse();
                }
            }

            private void assertHasWhatWasTold(NeighborhoodId id) {
                if (world.changed(id) <= registry.seen() && overtaken.getOrDefault(id, 0) < 3) {
                    Interest any = new Interest(id, TopicFilter.parse("none"), EdgeId.of("none"));
                    SimulatedFilters.expected(Set.of(any), world, PARTITIONS).forEach((key, value) -> {
                        if (!value.isEmpty()) {
                            assertThat(filters.live())
                                    .as("what was told of %s", id)
                                    .containsEntry(key, value);
                        }
                    });
                }
            }

            private boolean lastSaid(Request request) {
                for (int i = log.size() - 1; i >= 0; i--) {
                    if (log.get(i).interest.equals(request.interest()) && log.get(i).requestId == null) {
                        return i < request.requestId();
                    }
                }
                return true;
            }
        }
    }
}
