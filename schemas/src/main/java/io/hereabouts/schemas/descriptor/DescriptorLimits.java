package io.hereabouts.schemas.descriptor;

import java.util.ArrayList;
import java.util.List;

/**
 * How large a descriptor may be.
 *
 * @param maxBytes of JSON as UTF-8
 * @param maxStages stages
 * @param maxReferences references of one stage
 * @param maxCategories categories of one stage
 * @param maxDepth nesting of {@code and}, {@code or}, {@code not}
 */
public record DescriptorLimits(int maxBytes, int maxStages, int maxReferences, int maxCategories, int maxDepth) {

    /** 32 KiB, 8 stages, 1,000 references, 100 categories, 16 levels. */
    public static final DescriptorLimits DEFAULT = new DescriptorLimits(32 * 1024, 8, 1_000, 100, 16);

    /**
     * The most that clients may be allowed to send: a canonical text may be longer than what was sent, and the Kafka
     * topic of interests takes 1 MiB.
     */
    public static final int MAX_SENT_BYTES = 512 * 1024;

    public DescriptorLimits {
        List<String> problems = new ArrayList<>();
        atLeastOne(problems, "neighborhood.max-bytes", maxBytes);
        atLeastOne(problems, "neighborhood.max-stages", maxStages);
        atLeastOne(problems, "neighborhood.max-references", maxReferences);
        atLeastOne(problems, "neighborhood.max-categories", maxCategories);
        atLeastOne(problems, "neighborhood.max-depth", maxDepth);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
    }

    private static void atLeastOne(List<String> problems, String key, int value) {
        if (value < 1) {
            problems.add(key + " is '" + value + "', expected at least 1");
        }
    }
}
