package io.hereabouts.cli;

import io.hereabouts.launcher.Wiring;
import io.hereabouts.launcher.WorldTarget;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.schemas.settings.StackSettings;
import io.hereabouts.testkit.city.SeededCity;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code world generate}. */
@Command(
        name = "generate",
        mixinStandardHelpOptions = true,
        description = "Makes up a city: zones, roads, car parks, detectors; the same for the same seed and size.")
final class WorldGenerateCommand implements Callable<Integer> {

    @Mixin
    private SettingsOptions options;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "17", description = "default ${DEFAULT-VALUE}")
    private long seed;

    @Option(
            names = "--size",
            paramLabel = "N",
            defaultValue = "6",
            description = "zones a side, 3 to 200; default ${DEFAULT-VALUE}")
    private int size;

    @Option(names = "--json", description = "print the summary as JSON")
    private boolean json;

    @Spec
    private CommandSpec spec;

    private record Made(long seed, int size, int entities) {}

    @Override
    public Integer call() throws Exception {
        SeededCity city;
        try {
            city = SeededCity.generate(seed, size);
        } catch (IllegalArgumentException e) {
            throw new InputException("--size: " + e.getMessage());
        }
        StackSettings settings = options.load();
        try (WorldTarget target = Reachable.target(settings, Wiring.of(settings))) {
            for (PhysicalEntity entity : city.entities()) {
                target.upsert(entity);
            }
            target.finish();
        }
        int count = city.entities().size();
        spec.commandLine().getOut().println(json ? Json.of(new Made(seed, size, count)) : count + " entities");
        return 0;
    }
}
