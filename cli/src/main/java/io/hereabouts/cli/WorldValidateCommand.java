package io.hereabouts.cli;

import io.hereabouts.launcher.Wiring;
import io.hereabouts.launcher.WorldImport;
import io.hereabouts.launcher.WorldSource;
import io.hereabouts.launcher.WorldTarget;
import io.hereabouts.model.entity.GeometryRules;
import io.hereabouts.resolver.importing.Feature;
import io.hereabouts.resolver.importing.ImportSummary;
import io.hereabouts.resolver.importing.SourceUnavailableException;
import io.hereabouts.schemas.settings.StackSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code world validate}. */
@Command(
        name = "validate",
        mixinStandardHelpOptions = true,
        description = {
            "Checks every entity of the world, or of files that were not imported yet.",
            "Exit code 1 when something is wrong. Files need no categories; without, every feature is checked."
        })
final class WorldValidateCommand implements Callable<Integer> {

    @Mixin
    private SettingsOptions options;

    @Mixin
    private ImportOptions source;

    @Option(names = "--json", description = "print the counts as JSON")
    private boolean json;

    @Spec
    private CommandSpec spec;

    private record Checked(long good, long bad) {}

    @Override
    public Integer call() throws Exception {
        Checked checked = source.isGiven() ? files() : world();
        PrintWriter out = spec.commandLine().getOut();
        out.println(json ? Json.of(checked) : checked.good + " good, " + checked.bad + " bad");
        return checked.bad == 0 ? 0 : 1;
    }

    private Checked files() throws Exception {
        source.needNoCategories();
        try (ImportBar bar = new ImportBar(spec.commandLine().getErr());
                WorldTarget nowhere = WorldTarget.nowhere()) {
            ImportSummary summary = WorldImport.run(source.files(), nowhere, Optional.empty(), bar);
            return new Checked(summary.entities(), summary.bad());
        } catch (SourceUnavailableException e) {
            throw new FailedException(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new InputException(String.valueOf(e.getMessage()));
        }
    }

    private Checked world() throws Exception {
        StackSettings settings = options.load();
        long[] counts = new long[2];
        try (WorldSource world = Reachable.world(settings, Wiring.of(settings));
                ImportBar bar = new ImportBar(spec.commandLine().getErr())) {
            world.world().scan(entity -> {
                Optional<String> problem = GeometryRules.problem(entity.geometry());
                counts[problem.isPresent() ? 1 : 0]++;
                problem.ifPresent(reason ->
                        bar.bad("world", new Feature.Bad("entity", entity.id().value(), false, reason)));
            });
        }
        return new Checked(counts[0], counts[1]);
    }
}
