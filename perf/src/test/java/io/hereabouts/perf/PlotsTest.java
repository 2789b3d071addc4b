package io.hereabouts.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlotsTest {

    @TempDir
    Path folder;

    @Test
    void shouldDrawItsGraphs() throws Exception {
        Result result = Result.of(new Scenario("paper rate", 1, Map.of()))
                .graph(new Graph(
                        "rate",
                        "Filter time",
                        "publications/s",
                        "µs",
                        true,
                        true,
                        List.of(
                                new Graph.Line("memory", List.of(10.0, 1000.0), List.of(1.0, 1.1)),
                                new Graph.Line("database", List.of(10.0, 1000.0), List.of(30.0, 31.0)))))
                .build();

        Plots.write(result, folder.resolve("new"));

        assertThat(Files.readString(folder.resolve("new/perf-paper-rate-rate.svg")))
                .startsWith("<?xml")
                .contains("<svg", "<path");
        assertThat(ImageIO.read(folder.resolve("new/perf-paper-rate-rate.png").toFile())
                        .getWidth())
                .isEqualTo(900);
    }

    @Test
    void shouldDrawBarsOfEachUnitWhereThereAreNoGraphs() throws Exception {
        Result result = Result.of(new Scenario("route", 1, Map.of()))
                .figure(new Measurement("router CPU", "µs", List.of(1.0, 2.0, 3.0)))
                .figure(new Measurement("identity CPU", "µs", List.of(1.0, 1.0, 1.0)))
                .figure(new Measurement("rate", "records/s", List.of(1000.0)))
                .build();

        Plots.write(result, folder);

        assertThat(Files.readString(folder.resolve("perf-route-1.svg"))).contains("<svg");
        assertThat(Files.readString(folder.resolve("perf-route-2.svg"))).contains("<svg");
        assertThat(folder.resolve("perf-route-2.png")).isNotEmptyFile();
    }
}
