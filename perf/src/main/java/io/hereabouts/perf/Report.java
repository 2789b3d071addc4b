package io.hereabouts.perf;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A result for people and for programs. No state. */
public final class Report {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private Report() {}

    /** Tables: figures, books, targets. */
    public static String text(Result result) {
        StringBuilder text = new StringBuilder();
        Scenario scenario = result.scenario();
        line(text, "perf %s, seed %d: %s", scenario.name(), scenario.seed(), parameters(scenario.parameters()));
        line(text, "%s", result.environment());
        result.notes().forEach(note -> line(text, "%s", note));
        line(text, "");
        int width = result.figures().stream()
                .mapToInt(figure -> figure.of().length())
                .max()
                .orElse(0);
        width = Math.max(
                width,
                result.books().stream().mapToInt(b -> b.of().length()).max().orElse(0));
        String figures = "%-" + width + "s %11s %11s %11s  %s";
        line(text, figures, "figure", "median", "min", "max", "unit");
        for (Measurement f : result.figures()) {
            line(text, figures, f.of(), number(f.median()), number(f.min()), number(f.max()), f.unit());
        }
        line(text, "");
        String books = "%-" + width + "s %11s %11s%s";
        line(text, books, "book", "expected", "actual", "");
        for (BookEntry b : result.books()) {
            line(text, books, b.of(), b.expected(), b.actual(), b.balances() ? "" : "  DIFFERS");
        }
        line(text, result.balances() ? "the books balance" : "the books do NOT balance");
        for (Target target : result.targets()) {
            line(
                    text,
                    "target %s ≤ %s %s: %s, %s",
                    target.of(),
                    number(target.limit()),
                    target.unit(),
                    number(target.measured()),
                    target.met() ? "met" : "MISSED");
        }
        return text.toString();
    }

    /** The result and the medians, spreads and verdicts that follow from it. */
    public static String json(Result result) {
        try {
            return MAPPER.writeValueAsString(new Document(
                    result.scenario(),
                    result.environment(),
                    result.notes(),
                    result.figures().stream()
                            .map(f -> new Figure(f.of(), f.unit(), f.median(), f.min(), f.max(), f.rounds()))
                            .toList(),
                    result.books(),
                    result.balances(),
                    result.targets().stream()
                            .map(t -> new Verdict(t.of(), t.unit(), t.limit(), t.measured(), t.met()))
                            .toList()));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a result is plain data", e);
        }
    }

    /**
     * The result of this JSON; what follows from it is taken from itself.
     *
     * @throws IllegalArgumentException if it is not what {@link #json} writes
     */
    public static Result parse(String json) {
        try {
            Document document = MAPPER.readValue(json, Document.class);
            return new Result(
                    Objects.requireNonNull(document.scenario()),
                    Objects.requireNonNull(document.environment()),
                    orNone(document.notes()),
                    orNone(document.figures()).stream()
                            .map(f -> new Measurement(f.of(), f.unit(), f.rounds()))
                            .toList(),
                    orNone(document.books()),
                    orNone(document.targets()).stream()
                            .map(t -> new Target(t.of(), t.unit(), t.limit(), t.measured()))
                            .toList(),
                    List.of());
        } catch (JsonProcessingException | NullPointerException e) {
            throw new IllegalArgumentException("no result of a measurement", e);
        }
    }

    private static <T> List<T> orNone(@Nullable List<T> list) {
        return list == null ? List.of() : list;
    }

    private record Figure(String of, String unit, double median, double min, double max, List<Double> rounds) {}

    private record Verdict(String of, String unit, double limit, double measured, boolean met) {}

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    private record Document(
            Scenario scenario,
            Environment environment,
            @Nullable List<String> notes,
            @Nullable List<Figure> figures,
            @Nullable List<BookEntry> books,
            boolean balances,
            @Nullable List<Verdict> targets) {}

    private static String parameters(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(p -> p.getKey() + " " + p.getValue())
                .collect(Collectors.joining(", "));
    }

    /** Three significant digits where there are decimals. */
    static String number(double value) {
        double size = Math.abs(value);
        return String.format(Locale.ROOT, size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f", value);
    }

    static void line(StringBuilder text, String format, Object... args) {
        text.append(String.format(Locale.ROOT, format, args).stripTrailing()).append('\n');
    }
}
