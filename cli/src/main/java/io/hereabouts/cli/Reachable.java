package io.hereabouts.cli;

import io.hereabouts.launcher.Wiring;
import io.hereabouts.launcher.WorldSource;
import io.hereabouts.launcher.WorldTarget;
import io.hereabouts.resolver.world.WorldUnavailableException;
import io.hereabouts.schemas.kafka.KafkaPing;
import io.hereabouts.schemas.settings.InvalidSettingsException;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import java.time.Duration;
import java.util.List;

/** Opens what a command works with, and says within seconds if Kafka does not answer. No state. */
final class Reachable {

    /** How long a command waits until it has read the world from Kafka. */
    private static final Duration READ_TIMEOUT = Duration.ofMinutes(5);

    /** The first one of a process takes longer, above all on a busy machine. */
    private static final int ATTEMPTS = 3;

    private Reachable() {}

    /** @throws FailedException if Kafka does not answer within some seconds */
    static void kafka(StackSettings settings) throws FailedException, InvalidSettingsException {
        try (KafkaPing ping = new KafkaPing(Settings.kafka(settings), "hereabouts-cli")) {
            List<String> problems = ping.problems();
            for (int attempt = 1; attempt < ATTEMPTS && !problems.isEmpty(); attempt++) {
                problems = ping.problems();
            }
            if (!problems.isEmpty()) {
                throw new FailedException(problems.get(0) + "; is it running, and is --kafka right?");
            }
        }
    }

    /** The world to read; one in PostGIS is read without Kafka. */
    static WorldSource world(StackSettings settings, Wiring wiring)
            throws FailedException, InvalidSettingsException, WorldUnavailableException, InterruptedException {
        if (settings.world().kind() == StackSettings.Kind.MEMORY) {
            kafka(settings);
        }
        return WorldSource.open(settings, wiring, READ_TIMEOUT);
    }

    /** The world to write to. */
    static WorldTarget target(StackSettings settings, Wiring wiring)
            throws FailedException, InvalidSettingsException, WorldUnavailableException {
        kafka(settings);
        return WorldTarget.open(settings, wiring);
    }
}
