package io.hereabouts.model.entity;

/**
 * A path of levels such as {@code road/major/motorway}. A category selects itself and everything below it:
 * {@code road/major} selects {@code road/major/motorway} and never {@code road/majority}. Immutable.
 *
 * @param path levels separated by {@code /}, none empty, no control characters, no surrogate without its other half, at most 256 characters
 */
public record Category(String path) implements Comparable<Category> {

    private static final int MAX_LENGTH = 256;

    public Category {
        if (path.isEmpty()) {
            throw new IllegalArgumentException("category is empty");
        }
        if (path.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "category has " + path.length() + " characters, the limit is " + MAX_LENGTH);
        }
        int unpaired = Utf16.unpairedSurrogate(path);
        if (unpaired >= 0) {
            throw new IllegalArgumentException("category has an unpaired surrogate at index " + unpaired);
        }
        if (path.startsWith("/") || path.endsWith("/") || path.contains("//")) {
            throw new IllegalArgumentException("category '" + path + "' has an empty level");
        }
        if (path.chars().anyMatch(c -> Character.isISOControl(c) || c == '+' || c == '#')) {
            throw new IllegalArgumentException("category '" + path + "' has a control character, '+' or '#'");
        }
    }

    /** @throws IllegalArgumentException saying what is wrong */
    public static Category of(String path) {
        return new Category(path);
    }

    /** True if {@code other} is this category or lies below it. */
    public boolean selects(Category other) {
        return other.path.startsWith(path)
                && (other.path.length() == path.length() || other.path.charAt(path.length()) == '/');
    }

    @Override
    public int compareTo(Category other) {
        return path.compareTo(other.path);
    }

    @Override
    public String toString() {
        return path;
    }
}
