package io.hereabouts.resolver.world;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What of {@link RelationSuite} is not asked, and why, from {@code relation-suite-exceptions.txt}: operations that no
 * relation serves, and cases with a geometry that is not let into a world. An exception that is not used is a problem as
 * much as one that is missing. For one thread.
 */
final class RelationExceptions {

    private static final String FILE = "relation-suite-exceptions.txt";

    private final Map<String, String> reasons = new TreeMap<>();
    private final TreeSet<String> unused = new TreeSet<>();
    private final TreeMap<String, Integer> assertions = new TreeMap<>();
    private final Set<String> problems = new LinkedHashSet<>();

    private RelationExceptions() {}

    static RelationExceptions read() {
        RelationExceptions read = new RelationExceptions();
        try (InputStream in = RelationExceptions.class.getResourceAsStream(FILE)) {
            String text = new String(Objects.requireNonNull(in, FILE).readAllBytes(), StandardCharsets.UTF_8);
            for (String line : text.lines().toList()) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    String[] parts = line.split(" \\| ", -1);
                    if (parts.length != 2 || read.reasons.put(parts[0].strip(), parts[1].strip()) != null) {
                        throw new IllegalStateException(FILE + ": " + line);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        read.unused.addAll(read.reasons.keySet());
        return read;
    }

    /** Notes an operation that no relation serves. */
    void notServed(String operation) {
        String what = "op " + operation;
        use(what, reasons.getOrDefault(what, "no relation serves it"), 1);
    }

    /** Notes a case with so many assertions that is not let in because of {@code problem}. */
    void refused(String name, String problem, int count) {
        use(name, problem, count);
    }

    private void use(String what, String problem, int count) {
        String reason = reasons.get(what);
        if (reason == null || !problem.startsWith(reason)) {
            problems.add(what + " is not listed with the reason: " + problem);
            return;
        }
        unused.remove(what);
        assertions.merge(reason, count, Integer::sum);
    }

    /** How many assertions are excepted, by reason. */
    Map<String, Integer> byReason() {
        return assertions;
    }

    /** What is not listed, and what is listed and let in. */
    List<String> problems() {
        List<String> all = new ArrayList<>(problems);
        unused.forEach(what -> all.add(what + " is listed, but it is served and let in"));
        return all;
    }
}
