package io.hereabouts.perf.postgis;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.perf.Progress;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** Filter times and times to add a filter, in both modes. Memory and database take turns in each round. */
final class PaperMappings {

    private static final int RATE = 100_000;
    private static final int NEIGHBORHOODS = 100;
    private static final int ENTITIES = 100;
    /** Small, so that a million subscriptions have room. */
    private static final int ENTITIES_OF_MANY = 10;

    private static final int DRAWN = 50_000;
    private static final int CHECKS = 100;
    private static final int MIN_ADDS = 3;

    private final PaperParameters parameters;
    private final Connection connection;
    private final Progress progress;

    PaperMappings(PaperParameters parameters, Connection connection, Progress progress) {
        this.parameters = parameters;
        this.connection = connection;
        this.progress = progress;
    }

    PaperPoint measure(PaperExperiment experiment, int x) throws SQLException, InterruptedException {
        return switch (experiment) {
            case RATE -> lookups(x, new MappingCase(NEIGHBORHOODS, ENTITIES, 1), x);
            case SUBSCRIPTIONS -> lookups(x, new MappingCase(x, ENTITIES_OF_MANY, 1), RATE);
            case SIZE -> lookups(x, new MappingCase(NEIGHBORHOODS, x, 1), RATE);
            case ADD_SIZE -> adds(x, new MappingCase(NEIGHBORHOODS, x, 1));
            case ADD_COUNT -> adds(x, new MappingCase(x, ENTITIES, 1));
            case STAGES, SCOPE -> throw new IllegalArgumentException(experiment + " is about resolution");
        };
    }

    private PaperPoint lookups(double x, MappingCase shape, int rate) throws SQLException, InterruptedException {
        progress.line(shape.name() + " at " + rate + "/s");
        List<Double> memory = new ArrayList<>();
        List<Double> database = new ArrayList<>();
        Random random = new Random(parameters.seed());
        long right = 0;
        try (IndexMapping index = new IndexMapping(shape);
                PairTable table = PairTable.fill(connection, shape)) {
            for (int r = 0; r <= parameters.rounds(); r++) {
                Interrupts.check();
                List<EntityId> entities =
                        Stream.generate(() -> shape.draw(random)).limit(DRAWN).toList();
                double inMemory = PacedLookups.run(index, entities, rate, parameters.millis());
                double inDatabase = PacedLookups.run(table, entities, rate, parameters.millis());
                if (r > 0) {
                    memory.add(inMemory);
                    database.add(inDatabase);
                }
            }
            for (int i = 0; i < CHECKS; i++) {
                EntityId entity = shape.draw(random);
                right += Arrays.equals(index.handles(entity), table.handles(entity)) ? 1 : 0;
            }
        }
        return new PaperPoint(x, memory, database, CHECKS, right);
    }

    /** Adds one filter more, and removes it again, which is not measured: what is there stays as much. */
    private PaperPoint adds(double x, MappingCase shape) throws SQLException, InterruptedException {
        progress.line(shape.name() + ": adding");
        List<Double> memory = new ArrayList<>();
        List<Double> database = new ArrayList<>();
        Random random = new Random(parameters.seed());
        Added added = new Added(shape, random, parameters.millis());
        try (IndexMapping index = new IndexMapping(shape);
                PairTable table = PairTable.fill(connection, shape)) {
            for (int r = 0; r <= parameters.rounds(); r++) {
                Interrupts.check();
                double inMemory = added.micros(index);
                double inDatabase = added.micros(table);
                if (r > 0) {
                    memory.add(inMemory);
                    database.add(inDatabase);
                }
            }
        }
        return new PaperPoint(x, memory, database, added.checks, added.right);
    }

    /** Filters that come and go. */
    private static final class Added {
        private final MappingCase shape;
        private final Random random;
        private final int millis;
        private int next;
        private long checks;
        private long right;

        Added(MappingCase shape, Random random, int millis) {
            this.shape = shape;
            this.random = random;
            this.millis = millis;
            this.next = shape.neighborhoods();
        }

        double micros(FilterMapping mapping) throws SQLException {
            Histogram nanos = new Histogram(3);
            long end = System.nanoTime() + millis * 1_000_000L;
            for (int i = 0; i < MIN_ADDS || System.nanoTime() < end; i++) {
                NeighborhoodId neighborhood = MappingCase.neighborhood(next++);
                List<EntityId> entities = shape.entitiesOf(random.nextInt(shape.neighborhoods()));
                long begin = System.nanoTime();
                mapping.add(neighborhood, entities);
                nanos.recordValue(System.nanoTime() - begin);
                if (i < MIN_ADDS) {
                    check(mapping, neighborhood, entities.get(0), true);
                }
                mapping.remove(neighborhood);
                if (i < MIN_ADDS) {
                    check(mapping, neighborhood, entities.get(0), false);
                }
            }
            return PacedLookups.trimmedMean(nanos) / 1e3;
        }

        private void check(FilterMapping mapping, NeighborhoodId neighborhood, EntityId entity, boolean there)
                throws SQLException {
            checks++;
            right += Arrays.stream(mapping.handles(entity)).anyMatch(h -> h == neighborhood.handle()) == there ? 1 : 0;
        }
    }
}
