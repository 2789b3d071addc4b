package io.hereabouts.resolver.filters;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.TopicFilter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Edges join and leave at random while the owner is killed between any two writes, and what it had on its way may still
 * arrive after its successor has begun. After every step whatever was answered and not left is active to a router that
 * follows live; in the end both views of {@code filters} are what a resolution from scratch gives, and every request has
 * its answer.
 */
class FilterRegistrySimulationTest {

    private static final int PARTITIONS = 4;
    private static final int STEPS = 400;
    private static final long LINGER = 12;

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

    /** A record of the topic that edges write; a tombstone has no request id. */
    private record Said(Interest interest, @Nullable Long requestId) {}

    private static final class Simulation {
        final long seed;
        final boolean late;
        final Random random;
        final Map<NeighborhoodId, List<EntityId>> world = new HashMap<>();
        final Set<NeighborhoodId> unknown = new HashSet<>();
        final List<Interest> interests = new ArrayList<>();

        final List<Said> log = new ArrayList<>();
        final SimulatedFilters filters = new SimulatedFilters();
        final Set<Long> answered = new HashSet<>();
        /** Answered as active, and not left since. */
        final Set<Interest> promised = new HashSet<>();
        /** Writes of former owners that have not arrived yet. */
        final Deque<Write> onTheirWay = new ArrayDeque<>();

        long clock;
        long committed;
        Owner owner;

        Simulation(long seed, boolean late) {
            this.seed = seed;
            this.late = late;
            this.random = new Random(seed);
            for (int n = 0; n < 7; n++) {
                NeighborhoodId id = NeighborhoodId.ofCanonical("n" + n);
                List<EntityId> entities = new ArrayList<>();
                for (int e = 0; e < new int[] {0, 1, 2, 3, 5, 9, 1}[n]; e++) {
                    entities.add(EntityId.of("n" + n + "/e" + random.nextInt(1_000)));
                }
                world.put(id, List.copyOf(new TreeSet<>(entities)));
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
                owner.finish();
                while (!onTheirWay.isEmpty()) {
                    arrive();
                    check();
                }
                owner.finish();
                clock += LINGER;
                owner.perform(owner.registry.due(clock), Integer.MAX_VALUE);
                Map<String, String> expected =
                        SimulatedFilters.expected(held(log.size()).keySet(), world, PARTITIONS);
                assertThat(filters.live()).isEqualTo(expected);
                assertThat(filters.last()).isEqualTo(expected);
                for (Said said : log) {
                    if (said.requestId != null) {
                        assertThat(answered).contains(said.requestId);
                    }
                }
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + "L, late writes " + late, e);
            }
        }

        void step() {
            clock += random.nextInt(5);
            int die = random.nextInt(100);
            if (die < 22) {
                Interest interest = interests.get(random.nextInt(interests.size()));
                log.add(new Said(interest, (long) log.size()));
            } else if (die < 40) {
                Interest interest = interests.get(random.nextInt(interests.size()));
                promised.remove(interest);
                log.add(new Said(interest, null));
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
                switch (random.nextInt(4)) {
                    case 0 -> owner.read(writes);
                    case 1 -> owner.resolveOne(writes);
                    default -> owner.perform(owner.registry.due(clock), writes);
                }
                owner = new Owner();
            }
            check();
        }

        void check() {
            Map<String, String> live = filters.live();
            SimulatedFilters.expected(promised, world, PARTITIONS)
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

        /** What edges hold of what can be resolved. */
        Map<Interest, String> held(int end) {
            Map<Interest, String> held = new LinkedHashMap<>();
            for (Said said : log.subList(0, end)) {
                if (said.requestId == null) {
                    held.remove(said.interest);
                } else if (!unknown.contains(said.interest.neighborhood())) {
                    held.put(said.interest, "descriptor");
                }
            }
            return held;
        }

        /** One owner from its take-over to its end. */
        private final class Owner {
            final FilterRegistry registry;
            final TreeSet<Long> unfinished = new TreeSet<>();
            final Set<NeighborhoodId> resolving = new HashSet<>();
            final long loadedEnd = log.size();
            long next = committed;

            Owner() {
                FilterInventory inventory = filters.inventory();
                long epoch = inventory.highestEpoch() + 1;
                for (Write write : onTheirWay) {
                    // the claim that comes with each commit
                    epoch = Math.max(epoch, write.stamp().epoch() + 1);
                }
                registry = new FilterRegistry(inventory, epoch, PARTITIONS, LINGER);
                perform(registry.reconcile(held(log.size()), clock), Integer.MAX_VALUE);
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
                    perform(registry.join(new Request(said.interest, said.requestId, input), "descriptor"), writes);
                } else if (overtaken(said.interest, offset)) {
                    unfinished.remove(offset);
                } else {
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

            void resolveOne(int writes) {
                List<NeighborhoodId> all = resolving.stream().sorted().toList();
                if (all.isEmpty()) {
                    return;
                }
                NeighborhoodId id = all.get(random.nextInt(all.size()));
                resolving.remove(id);
                perform(
                        unknown.contains(id)
                                ? registry.refused(id, new Refusal(0x83, "unknown"), clock)
                                : registry.resolved(
                                        id,
                                        SimulatedFilters.filter(world.getOrDefault(id, List.of()), PARTITIONS),
                                        clock),
                        writes);
            }

            void finish() {
                while (next < log.size() || !resolving.isEmpty()) {
                    read(Integer.MAX_VALUE);
                    resolveOne(Integer.MAX_VALUE);
                }
            }

            /** Writes so many records; if that is not all, this owner is dead and the rest may arrive later. */
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
                if (decision.writes().size() > writes) {
                    return;
                }
                for (Decision.Resolve resolve : decision.resolutions()) {
                    assertThat(resolving.add(resolve.neighborhood()))
                            .as("one resolution at a time of %s", resolve.neighborhood())
                            .isTrue();
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
