package io.hereabouts.cli;

import io.hereabouts.launcher.Wiring;
import io.hereabouts.launcher.WorldImport;
import io.hereabouts.launcher.WorldSource;
import io.hereabouts.launcher.WorldTarget;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.resolver.importing.Coverage;
import io.hereabouts.resolver.importing.ImportSummary;
import io.hereabouts.resolver.importing.SourceUnavailableException;
import io.hereabouts.resolver.importing.WorldFile;
import io.hereabouts.schemas.settings.StackSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code world import}. */
@Command(
        name = "import",
        mixinStandardHelpOptions = true,
        description = {
            "Reads entities from OSM PBF, GeoJSON, GeoJSON-seq or CSV, a manifest that names several files, or a query.",
            "A feature that is wrong is reported and counted, the rest is imported. Entities that exist are replaced."
        })
final class WorldImportCommand implements Callable<Integer> {

    private static final int SHOWN = 10;

    @Mixin
    private SettingsOptions options;

    @Mixin
    private ImportOptions source;

    @Option(names = "--dry-run", description = "read and check everything, write nothing")
    private boolean dryRun;

    @Option(
            names = "--delete-missing",
            description = {
                "then delete entities that belong to the source and are no longer in it;",
                "lists them and asks first, --dry-run only lists them"
            })
    private boolean deleteMissing;

    @Option(names = "--yes", description = "with --delete-missing: do not ask")
    private boolean yes;

    @Option(names = "--json", description = "print the summary as JSON")
    private boolean json;

    @Spec
    private CommandSpec spec;

    private record Outcome(
            long entities,
            long repaired,
            long bad,
            long incomplete,
            long skipped,
            Map<String, Long> byCategory,
            boolean dryRun,
            long missing,
            long deleted) {

        static Outcome of(ImportSummary read, boolean dryRun, long missing, long deleted) {
            return new Outcome(
                    read.entities(),
                    read.repaired(),
                    read.bad(),
                    read.incomplete(),
                    read.skipped(),
                    read.byCategory(),
                    dryRun,
                    missing,
                    deleted);
        }
    }

    @Override
    public Integer call() throws Exception {
        if (deleteMissing && !dryRun && !yes && Terminal.find().isEmpty()) {
            throw new InputException(
                    "--delete-missing needs --yes where nobody can be asked; --dry-run shows what would go");
        }
        List<WorldFile> files = source.files();
        StackSettings settings = options.load();
        Wiring wiring = Wiring.of(settings);
        Optional<Coverage> coverage = deleteMissing ? Optional.of(new Coverage()) : Optional.empty();
        try (WorldTarget target = dryRun ? WorldTarget.nowhere() : Reachable.target(settings, wiring)) {
            ImportSummary summary = read(files, target, coverage);
            SortedSet<EntityId> missing =
                    coverage.isPresent() ? missing(settings, wiring, coverage.get()) : new TreeSet<>();
            long deleted = missing.isEmpty() || dryRun || !isConfirmed(missing) ? 0 : delete(missing, target);
            report(Outcome.of(summary, dryRun, missing.size(), deleted));
            return summary.bad() == 0 || summary.entities() > 0 ? 0 : 1;
        }
    }

    private ImportSummary read(List<WorldFile> files, WorldTarget target, Optional<Coverage> coverage)
            throws Exception {
        try (ImportBar bar = new ImportBar(spec.commandLine().getErr())) {
            return WorldImport.run(files, target, coverage, bar);
        } catch (SourceUnavailableException e) {
            throw new FailedException(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new InputException(String.valueOf(e.getMessage()));
        }
    }

    private SortedSet<EntityId> missing(StackSettings settings, Wiring wiring, Coverage coverage) throws Exception {
        if (coverage.withoutId() > 0) {
            throw new FailedException(coverage.withoutId()
                    + " refused features have no id, so nobody can say what is missing; nothing is deleted");
        }
        SortedSet<EntityId> missing;
        try (WorldSource world = Reachable.world(settings, wiring)) {
            missing = WorldImport.missing(world.world(), coverage);
        }
        spec.commandLine()
                .getErr()
                .println(missing.size() + " entities of the world belong to this source and are not in it"
                        + (missing.isEmpty() ? "" : ": ")
                        + missing.stream().limit(SHOWN).map(EntityId::value).collect(Collectors.joining(", "))
                        + (missing.size() > SHOWN ? ", …" : ""));
        return missing;
    }

    private boolean isConfirmed(SortedSet<EntityId> missing) {
        if (yes) {
            return true;
        }
        return Terminal.find()
                .map(terminal -> terminal.confirms("delete these " + missing.size() + " entities?"))
                .orElse(false);
    }

    private static long delete(SortedSet<EntityId> missing, WorldTarget target) throws Exception {
        for (EntityId id : missing) {
            target.delete(id);
        }
        target.finish();
        return missing.size();
    }

    private void report(Outcome outcome) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.of(outcome));
            return;
        }
        outcome.byCategory.forEach((path, count) -> out.printf("%9d  %s%n", count, path));
        out.println(outcome.entities + (dryRun ? " entities would be imported" : " entities imported")
                + (outcome.repaired > 0 ? " (" + outcome.repaired + " repaired), " : ", ")
                + outcome.bad + " features refused"
                + (outcome.incomplete > 0 ? " (" + outcome.incomplete + " incomplete)" : "")
                + ", " + outcome.skipped + " left out");
        if (deleteMissing) {
            out.println(outcome.deleted + " of " + outcome.missing + " missing entities deleted");
        }
    }
}
