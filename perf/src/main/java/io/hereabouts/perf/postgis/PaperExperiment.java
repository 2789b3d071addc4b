package io.hereabouts.perf.postgis;

import static io.hereabouts.perf.shape.Shape.CONSTANT;
import static io.hereabouts.perf.shape.Shape.LINEAR;
import static io.hereabouts.perf.shape.Shape.LOGARITHMIC;

import io.hereabouts.perf.shape.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The experiments of the paper that Hereabouts follows, each with the growth that its two modes must have. Finding the
 * neighborhoods of a publication must not grow faster than the logarithm of what is held: in memory that is the processor's
 * caches, in a database also the depth of a B-tree. Adding and resolving are linear in what is added and looked at.
 *
 * @see FilterMapping
 */
public enum PaperExperiment {
    RATE("filter time", "publications/s"),
    SUBSCRIPTIONS("filter time", "subscriptions"),
    SIZE("filter time", "entities of a filter"),
    ADD_SIZE("time to add a filter", "entities of a filter"),
    ADD_COUNT("time to add a filter", "filters"),
    STAGES("time to resolve", "stages"),
    SCOPE("time to resolve", "thousandths of the world");

    private final String what;
    private final String of;

    PaperExperiment(String what, String of) {
        this.what = what;
        this.of = of;
    }

    /** As on the command line. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** @throws IllegalArgumentException naming those that there are */
    public static PaperExperiment of(String id) {
        return Arrays.stream(values())
                .filter(experiment -> experiment.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("experiment '" + id + "', expected one of "
                        + Arrays.stream(values()).map(PaperExperiment::id).collect(Collectors.joining(", "))));
    }

    String what() {
        return what;
    }

    String of() {
        return of;
    }

    /** Where it is measured; where x is how much there is, only up to {@code most}, but at three places in any case. */
    List<Integer> xs(int most) {
        return switch (this) {
            case RATE -> List.of(10_000, 20_000, 50_000, 100_000, 200_000);
            case SUBSCRIPTIONS -> upTo(most, List.of(100, 1_000, 10_000, 100_000, 1_000_000));
            case SIZE, ADD_SIZE -> upTo(most, List.of(1, 10, 100, 1_000, 10_000));
            case ADD_COUNT -> upTo(most, List.of(100, 1_000, 10_000, 100_000));
            case STAGES -> List.of(1, 2, 3, 4, 5, 6);
            case SCOPE -> List.of(1, 3, 10, 30, 100, 300);
        };
    }

    private static List<Integer> upTo(int most, List<Integer> xs) {
        return xs.subList(
                0, Math.max(3, (int) xs.stream().filter(x -> x <= most).count()));
    }

    /** The growths that either mode may have. */
    List<Shape> expected() {
        return switch (this) {
            case RATE -> List.of(CONSTANT);
            case SUBSCRIPTIONS, SIZE, ADD_COUNT -> List.of(CONSTANT, LOGARITHMIC);
            case ADD_SIZE, STAGES, SCOPE -> List.of(LINEAR);
        };
    }
}
