package io.hereabouts.schemas.descriptor;

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

    public DescriptorLimits {
        if (maxBytes < 1 || maxStages < 1 || maxReferences < 1 || maxCategories < 1 || maxDepth < 1) {
            throw new IllegalArgumentException("descriptor limits must be at least 1: " + maxBytes + ", " + maxStages
                    + ", " + maxReferences + ", " + maxCategories + ", " + maxDepth);
        }
    }
}
