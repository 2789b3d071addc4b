package io.hereabouts.perf;

import java.util.ArrayList;
import java.util.List;

/**
 * What came out of a measurement.
 *
 * @param notes what a reader of the figures must know, a line each
 * @param figures with the value of each round
 * @param books if one does not balance, the figures are worth nothing
 * @param targets the figures that have one
 * @param graphs what there is to be seen as a line; not part of the JSON
 */
public record Result(
        Scenario scenario,
        Environment environment,
        List<String> notes,
        List<Measurement> figures,
        List<BookEntry> books,
        List<Target> targets,
        List<Graph> graphs) {

    public Result {
        notes = List.copyOf(notes);
        figures = List.copyOf(figures);
        books = List.copyOf(books);
        targets = List.copyOf(targets);
        graphs = List.copyOf(graphs);
    }

    /** Begins a result of this scenario, made here and now. */
    public static Builder of(Scenario scenario) {
        return new Builder(scenario, Environment.here());
    }

    /** Whether every book balances. */
    public boolean balances() {
        return books.stream().allMatch(BookEntry::balances);
    }

    /** Whether every target is met. */
    public boolean meetsTargets() {
        return targets.stream().allMatch(Target::met);
    }

    /** Collects a result. Not thread-safe. */
    public static final class Builder {
        private final Scenario scenario;
        private final Environment environment;
        private final List<String> notes = new ArrayList<>();
        private final List<Measurement> figures = new ArrayList<>();
        private final List<BookEntry> books = new ArrayList<>();
        private final List<Target> targets = new ArrayList<>();
        private final List<Graph> graphs = new ArrayList<>();

        private Builder(Scenario scenario, Environment environment) {
            this.scenario = scenario;
            this.environment = environment;
        }

        public Builder note(String line) {
            notes.add(line);
            return this;
        }

        public Builder figure(Measurement figure) {
            figures.add(figure);
            return this;
        }

        public Builder book(String of, long expected, long actual) {
            books.add(new BookEntry(of, expected, actual));
            return this;
        }

        public Builder target(Target target) {
            targets.add(target);
            return this;
        }

        public Builder graph(Graph graph) {
            graphs.add(graph);
            return this;
        }

        public Result build() {
            return new Result(scenario, environment, notes, figures, books, targets, graphs);
        }
    }
}
