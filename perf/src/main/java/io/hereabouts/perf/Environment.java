package io.hereabouts.perf;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Where and when a measurement was made.
 *
 * @param cpu model, as far as the system names it
 * @param load the system's load average of the last minute when the measurement began; negative if it has none
 * @param date UTC, ISO 8601
 * @param commit of the checkout that the classes come from, with {@code +} if there were changes; {@code unknown} outside
 *     of one
 */
public record Environment(String cpu, int cores, String jdk, String os, double load, String date, String commit) {

    /** The environment of this process, now. */
    public static Environment here() {
        return new Environment(
                cpuModel(),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                checkedOut());
    }

    private static String cpuModel() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException | UncheckedIOException e) {
            return System.getProperty("os.arch");
        }
    }

    private static String checkedOut() {
        try {
            Path classes = Path.of(Environment.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            String folder = String.valueOf(Files.isDirectory(classes) ? classes : classes.getParent());
            String head = git(folder, "rev-parse", "--short", "HEAD");
            return git(folder, "status", "--porcelain", "--untracked-files=no").isEmpty() ? head : head + "+";
        } catch (IOException | URISyntaxException e) {
            return "unknown";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "unknown";
        }
    }

    private static String git(String folder, String... args) throws IOException, InterruptedException {
        Process git = new ProcessBuilder(Stream.concat(List.of("git", "-C", folder).stream(), Stream.of(args))
                        .toList())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String out = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (!git.waitFor(10, TimeUnit.SECONDS) || git.exitValue() != 0) {
            throw new IOException("no checkout");
        }
        return out;
    }

    @Override
    public String toString() {
        return String.join(
                ", ",
                cpu,
                cores + " cores",
                jdk,
                os,
                String.format(Locale.ROOT, "load %.2f", load),
                date,
                "commit " + commit);
    }
}
