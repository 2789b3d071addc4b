package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.launcher.demo.Demo;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import io.hereabouts.testkit.city.SeededCity;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoIT {

    @TempDir
    Path folder;

    @Test
    void shouldBalanceItsBooks() throws Exception {
        StackSettings settings = Settings.load(
                Optional.empty(), Map.of("data", folder.toString(), "kafka.port", "0", "mqtt.port", "0"), Map.of());
        MeterRegistry metrics = new SimpleMeterRegistry();
        SeededCity city = SeededCity.generate(SeededCity.DEFAULT_SEED, SeededCity.DEFAULT_SIZE);
        List<String> lines = new CopyOnWriteArrayList<>();
        try (EmbeddedStack stack = EmbeddedStack.launch(settings, metrics, city.entities())) {
            Demo demo = new Demo(city, "127.0.0.1", stack.mqttPort(), 100, metrics, lines::add);

            boolean balanced = demo.run(Duration.ofSeconds(5), new CountDownLatch(1));

            lines.stream().skip(Math.max(0, lines.size() - 12)).forEach(System.out::println);
            assertThat(balanced).isTrue();
            assertThat(lines).anyMatch(line -> line.contains("in two-stage"));
        }
    }
}
