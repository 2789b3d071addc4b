package io.hereabouts.resolver.filters;

/**
 * What a change of the world leads to.
 *
 * @param lookedAt neighborhoods whose footprints were compared with the change
 * @param affected those of them that it touches; they are resolved again, now or later
 */
public record Reaction(Decision decision, int lookedAt, int affected) {}
