package io.hereabouts.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code perf smoke} as somebody would run it, in a process of its own: in this one a coverage agent slows our classes and
 * not what they are compared with. Its books are those of route, mapping and index.
 */
class PerfSmokeIT {

    private static final Pattern LIMIT = Pattern.compile("\"measured\" : [0-9.E-]+");

    @TempDir
    Path folder;

    @Test
    void shouldFindNothingWorseThanWhatWasCommitted() throws Exception {
        Path result = folder.resolve("smoke.json");

        assertThat(run("perf", "smoke", "--out", result.toString())).isZero();

        String json = Files.readString(result);
        assertThat(json)
                .contains(
                        "\"route, fan-out 1: deliveries\"",
                        "\"route, fan-out 1, 10 neighborhoods: wrong deliveries\"",
                        "\"mapping, 100 neighborhoods of 20, fan-out 10: equal answers\"",
                        "\"index, FilterIndex, right answers\"");
        // the same, compared with ratios that were a tenth
        Path tenth = folder.resolve("tenth.json");
        Files.writeString(
                tenth,
                LIMIT.matcher(json)
                        .replaceAll(found -> "\"measured\" : "
                                + Double.parseDouble(found.group()
                                                .substring(found.group().lastIndexOf(' ') + 1))
                                        / 10));
        assertThat(run("perf", "compare", tenth.toString(), result.toString())).isEqualTo(1);
        assertThat(run("perf", "compare", result.toString(), tenth.toString())).isZero();
    }

    private static int run(String... args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx2g",
                "-Dlogback.configurationFile=hereabouts-logback.xml",
                "-Dfile.encoding=" + StandardCharsets.UTF_8,
                "-cp",
                System.getProperty("java.class.path"),
                Hereabouts.class.getName()));
        command.addAll(List.of(args));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.inputReader(StandardCharsets.UTF_8).lines().forEach(System.out::println);
        return process.waitFor();
    }
}
