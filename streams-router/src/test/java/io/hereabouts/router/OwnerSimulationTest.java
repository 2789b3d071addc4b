package io.hereabouts.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.TopicFilter;
import io.hereabouts.schemas.avro.Owner;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.record.Framing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

/**
 * One partition, several router tasks that believe to own it, one edge: every step (who reads which record next, who
 * commits, who takes over, when the edge reads) is drawn from a seed. Routers that were replaced go on for as long as the
 * draw lets them, as after a stall; their commits are refused, as Kafka refuses those of an old group generation. The
 * routers are the topology of production, the log and the group are modelled here.
 */
class OwnerSimulationTest {

    private static final int SEEDS = 60;
    private static final int CONTROL_SEEDS = 20;
    private static final int STEPS = 250;
    private static final String ENTITY = "car-1";

    @Test
    void shouldNeverMissWhateverTheOrderOfEvents() {
        long fresh = new Random().nextLong();
        System.out.println("OwnerSimulationTest: random seed " + fresh);
        int stale = 0;
        int deposed = 0;
        int published = 0;
        for (long seed : seeds(fresh)) {
            try (Simulation simulation = new Simulation(seed, true)) {
                simulation.run();
                assertThat(simulation.missed()).as("seed %d", seed).isEmpty();
                stale += simulation.edge.staleDeliveries() + simulation.edge.staleApplied();
                deposed += simulation.deposed();
                published += simulation.must.size();
            }
        }
        System.out.println("OwnerSimulationTest: publications " + published + ", stale records dropped " + stale
                + ", routers deposed " + deposed + ", missed 0");
        assertThat(stale).as("the draw makes stale owners speak").isPositive();
        assertThat(deposed).as("the draw lets stale owners find out").isPositive();
    }

    @Test
    void shouldMissIfTheEdgeListensToStaleOwners() {
        long missing = IntStream.range(0, CONTROL_SEEDS)
                .filter(seed -> {
                    try (Simulation simulation = new Simulation(seed, false)) {
                        simulation.run();
                        return !simulation.missed().isEmpty();
                    }
                })
                .count();
        System.out.println(
                "OwnerSimulationTest control, edge without the rule: " + missing + " of " + CONTROL_SEEDS + " miss");
        assertThat(missing).isPositive();
    }

    /** The shortest way to a miss, step by step: the stale owner routes before its successor does. */
    @Test
    void shouldHoldTheIncompleteDeliveryOfAStaleOwnerFromHidingTheCompleteOne() {
        for (boolean rule : List.of(true, false)) {
            try (Simulation s = new Simulation(1, rule)) {
                s.takeOver();
                Task stale = s.current();
                s.ask();
                s.exhaust(s::readFilter, stale);
                s.exhaust(task -> s.edgeReads(), stale);
                s.takeOver();
                s.ask();
                s.exhaust(s::readFilter, s.current());
                s.exhaust(task -> s.edgeReads(), stale);
                s.publish();
                s.exhaust(s::routeOne, stale);
                s.exhaust(s::routeOne, s.current());
                s.exhaust(s::readFilter, stale);
                s.exhaust(task -> s.edgeReads(), stale);
                assertThat(s.missed()).hasSize(rule ? 0 : 1);
                assertThat(s.deposed()).isEqualTo(1);
            }
        }
    }

    private static List<Long> seeds(long fresh) {
        List<Long> seeds = new ArrayList<>();
        for (long seed = 0; seed < SEEDS; seed++) {
            seeds.add(seed);
        }
        seeds.add(fresh);
        return seeds;
    }

    private static final class LogRecord {
        private final byte[] key;
        private final byte[] value;

        LogRecord(byte[] key, byte[] value) {
            this.key = key;
            this.value = value;
        }
    }

    private record Publication(String payload) {}

    private static final class Task {
        private final SteppedRouter router;
        private int filtersRead;
        private int publicationsRead;

        Task(SteppedRouter router, int publicationsRead) {
            this.router = router;
            this.publicationsRead = publicationsRead;
        }
    }

    private static final class Simulation implements AutoCloseable {
        private final Random random;
        private final List<LogRecord> filters = new ArrayList<>();
        private final List<Publication> publications = new ArrayList<>();
        private final List<TestRecord<byte[], byte[]>> deliveries = new ArrayList<>();
        private final List<Task> tasks = new ArrayList<>();
        private final Map<NeighborhoodId, Long> asked = new HashMap<>();
        private final Map<String, Set<Long>> must = new HashMap<>();
        private final EdgeBook edge;
        private int edgeRead;
        private int committedPublications;
        private long version;
        private final double staleReads;
        private final double staleRoutes;

        Simulation(long seed, boolean edgeDropsLowerOwners) {
            random = new Random(seed);
            staleReads = random.nextDouble();
            staleRoutes = random.nextDouble();
            edge = new EdgeBook(edgeDropsLowerOwners);
        }

        void run() {
            takeOver();
            for (int i = 0; i < STEPS; i++) {
                switch (random.nextInt(24)) {
                    case 0, 1 -> ask();
                    case 2, 3, 4 -> publish();
                    case 5 -> commit();
                    case 6 -> rarely(this::takeOver);
                    case 7, 8, 9, 10, 11, 12 -> someTimes(this::readFilter, anyTask(staleReads));
                    case 13, 14, 15, 16, 17 -> someTimes(this::routeOne, anyTask(staleRoutes));
                    default -> someTimes(task -> edgeReads(), current());
                }
            }
            Task current = current();
            while (readFilter(current) || routeOne(current) || edgeReads()) {
                // until all is quiet
            }
        }

        private void exhaust(Predicate<Task> step, Task task) {
            while (step.test(task)) {
                // as long as there is something to read
            }
        }

        private void someTimes(Predicate<Task> step, Task task) {
            int times = 1 + random.nextInt(8);
            while (times > 0 && step.test(task)) {
                times--;
            }
        }

        private void rarely(Runnable step) {
            if (random.nextInt(3) == 0) {
                step.run();
            }
        }

        private Task current() {
            return tasks.get(tasks.size() - 1);
        }

        /** The current one, or with this chance one of the two before it. */
        private Task anyTask(double stale) {
            int back = random.nextDouble() < stale ? 1 + random.nextInt(2) : 0;
            return tasks.get(Math.max(0, tasks.size() - 1 - back));
        }

        /** A new generation of the group gives the partition to a new task. */
        private void takeOver() {
            SteppedRouter router = new SteppedRouter();
            int owner = filters.size();
            filters.add(new LogRecord(
                    Keys.owner(),
                    Framing.encode(
                            Owner.newBuilder().setOwner("task " + tasks.size()).build())));
            filters.stream().filter(r -> !Keys.isOwner(r.key)).forEach(r -> router.loads(r.key, r.value));
            router.ownerIsAt(owner);
            router.startAt(committedPublications);
            tasks.add(new Task(router, committedPublications));
        }

        /** Of the current generation only; whatever a task sent is in Kafka by then. */
        private void commit() {
            committedPublications = current().publicationsRead;
        }

        private void ask() {
            NeighborhoodId id = NeighborhoodId.ofCanonical("n" + version++);
            filters.add(new LogRecord(Keys.slice(id), FilterWriter.slice(1, version, 1, List.of(ENTITY))));
            asked.put(id, (long) filters.size());
            filters.add(new LogRecord(
                    Keys.filterInterest(new Interest(id, TopicFilter.parse("#"), EdgeId.of("e1"))),
                    FilterWriter.interest(1, version)));
        }

        /** What the edge counts as active now, the delivery must name. */
        private void publish() {
            String payload = "p" + publications.size();
            Set<Long> active = new TreeSet<>();
            asked.forEach((id, offset) -> {
                if (edge.hasApplied(Map.of(0, offset))) {
                    active.add(id.handle());
                }
            });
            publications.add(new Publication(payload));
            must.put(payload, active);
        }

        private boolean readFilter(Task task) {
            if (task.filtersRead == filters.size()) {
                return false;
            }
            LogRecord record = filters.get(task.filtersRead++);
            boolean own = Keys.isOwner(record.key) && task.filtersRead - 1 == task.router.ownerOffset();
            task.router.filters(record.key, own ? task.router.ownOwnerRecord() : record.value);
            collect(task);
            return true;
        }

        private boolean routeOne(Task task) {
            if (task.publicationsRead == publications.size()) {
                return false;
            }
            task.router.publish(
                    ENTITY, "a", publications.get(task.publicationsRead++).payload());
            collect(task);
            return true;
        }

        private void collect(Task task) {
            deliveries.addAll(task.router.sent("e1"));
        }

        private boolean edgeReads() {
            if (edgeRead == deliveries.size()) {
                return false;
            }
            TestRecord<byte[], byte[]> record = deliveries.get(edgeRead++);
            edge.take(record.key(), record.value());
            return true;
        }

        List<String> missed() {
            List<String> missed = new ArrayList<>();
            must.forEach((payload, handles) -> {
                EdgeBook.Received received = edge.received().get(payload);
                if (!handles.isEmpty()
                        && (received == null || !received.handles().containsAll(handles))) {
                    missed.add(payload + " must " + handles + " received " + received);
                }
            });
            return missed;
        }

        int deposed() {
            return (int) tasks.stream()
                    .mapToDouble(t -> t.router.count("hereabouts.router.deposed"))
                    .sum();
        }

        @Override
        public void close() {
            tasks.forEach(t -> t.router.close());
        }
    }
}
