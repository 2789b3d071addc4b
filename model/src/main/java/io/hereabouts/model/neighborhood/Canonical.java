package io.hereabouts.model.neighborhood;

import io.hereabouts.model.entity.Category;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The canonical form: set-like lists sorted and without repeats, nested and/or of one kind flattened, and/or of one
 * condition unwrapped, numbers in plain shortest form.
 */
final class Canonical {

    private static final int MOST_DIGITS = 40;

    private Canonical() {}

    static NeighborhoodDescriptor of(List<Stage> stages, List<Integer> select) {
        List<Integer> selected =
                select.isEmpty() ? IntStream.range(0, stages.size()).boxed().toList() : select;
        return new NeighborhoodDescriptor(
                stages.stream().map(Canonical::stage).toList(),
                selected.stream().distinct().sorted().toList());
    }

    private static Stage stage(Stage s) {
        return new Stage(
                s.references().stream()
                        .distinct()
                        .sorted(Comparator.comparing(Canonical::reference))
                        .toList(),
                s.from().stream().distinct().sorted().toList(),
                withoutCovered(s.categories()),
                s.where().accept(NORMAL),
                s.match());
    }

    private static List<Category> withoutCovered(List<Category> categories) {
        return categories.stream()
                .distinct()
                .filter(c -> categories.stream().noneMatch(other -> !other.equals(c) && other.selects(c)))
                .sorted()
                .toList();
    }

    private static final Condition.Visitor<Condition> NORMAL = new Condition.Visitor<>() {
        @Override
        public Condition related(Condition.Related related) {
            return related;
        }

        @Override
        public Condition and(Condition.And and) {
            List<Condition> parts = new ArrayList<>();
            for (Condition c : and.all()) {
                Condition normal = c.accept(this);
                if (normal instanceof Condition.And nested) {
                    parts.addAll(nested.all());
                } else {
                    parts.add(normal);
                }
            }
            List<Condition> sorted = sortedSet(parts);
            return sorted.size() == 1 ? sorted.get(0) : new Condition.And(sorted);
        }

        @Override
        public Condition or(Condition.Or or) {
            List<Condition> parts = new ArrayList<>();
            for (Condition c : or.any()) {
                Condition normal = c.accept(this);
                if (normal instanceof Condition.Or nested) {
                    parts.addAll(nested.any());
                } else {
                    parts.add(normal);
                }
            }
            List<Condition> sorted = sortedSet(parts);
            return sorted.size() == 1 ? sorted.get(0) : new Condition.Or(sorted);
        }

        @Override
        public Condition not(Condition.Not not) {
            Condition inner = not.negated().accept(this);
            return inner instanceof Condition.Not doubled ? doubled.negated() : new Condition.Not(inner);
        }
    };

    private static List<Condition> sortedSet(List<Condition> parts) {
        TreeMap<String, Condition> byText = new TreeMap<>();
        for (Condition part : parts) {
            byText.put(part.accept(TEXT), part);
        }
        return List.copyOf(byText.values());
    }

    private static final Condition.Visitor<String> TEXT = new Condition.Visitor<>() {
        @Override
        public String related(Condition.Related r) {
            StringBuilder out = new StringBuilder("{\"relation\":\"")
                    .append(r.relation().word())
                    .append('"');
            if (r.relation() == Relation.DWITHIN) {
                out.append(",\"distance\":").append(number(r.distance()));
            }
            if (r.pattern() != null) {
                out.append(",\"pattern\":").append(quoted(r.pattern()));
            }
            return out.append('}').toString();
        }

        @Override
        public String and(Condition.And and) {
            return and.all().stream().map(c -> c.accept(this)).collect(Collectors.joining(",", "{\"and\":[", "]}"));
        }

        @Override
        public String or(Condition.Or or) {
            return or.any().stream().map(c -> c.accept(this)).collect(Collectors.joining(",", "{\"or\":[", "]}"));
        }

        @Override
        public String not(Condition.Not not) {
            return "{\"not\":" + not.negated().accept(this) + "}";
        }
    };

    static String text(NeighborhoodDescriptor d) {
        return d.stages().stream().map(Canonical::text).collect(Collectors.joining(",", "{\"stages\":[", "]"))
                + ",\"select\":" + numbers(d.select()) + "}";
    }

    private static String text(Stage s) {
        StringBuilder out = new StringBuilder("{");
        if (!s.references().isEmpty()) {
            out.append(s.references().stream()
                    .map(Canonical::reference)
                    .collect(Collectors.joining(",", "\"references\":[", "],")));
        }
        if (!s.from().isEmpty()) {
            out.append("\"from\":").append(numbers(s.from())).append(',');
        }
        out.append(s.categories().stream()
                .map(c -> quoted(c.path()))
                .collect(Collectors.joining(",", "\"categories\":[", "]")));
        out.append(",\"where\":").append(s.where().accept(TEXT));
        if (s.match() != Quantifier.ANY) {
            out.append(",\"match\":").append(quoted(s.match().word()));
        }
        return out.append('}').toString();
    }

    private static String reference(Reference reference) {
        if (reference instanceof Reference.ToEntity entity) {
            return quoted(entity.id().value());
        }
        return "{\"wkt\":" + quoted(((Reference.ToGeometry) reference).wkt()) + "}";
    }

    private static String numbers(List<Integer> indexes) {
        return indexes.stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]"));
    }

    /** With an exponent where the digits would be more than a reader takes. */
    private static String number(double value) {
        if (value == 0) {
            return "0";
        }
        BigDecimal shortest = BigDecimal.valueOf(value).stripTrailingZeros();
        String plain = shortest.toPlainString();
        return plain.length() <= MOST_DIGITS ? plain : shortest.toString();
    }

    /** A JSON string (RFC 8259 §7): only what must be escaped is. */
    private static String quoted(String text) {
        StringBuilder out = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
