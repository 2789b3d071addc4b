package io.hereabouts.testkit.city;

import io.hereabouts.model.entity.PhysicalEntity;
import java.util.List;

/**
 * A made-up city: a crooked grid of zones, roads of several classes that run through them, car parks, and detectors
 * beside the roads. Seed and size decide every coordinate and every id, on every machine. Immutable.
 *
 * <p>Ids and categories: {@code zone/<n>} ({@code zone/district}, some also {@code zone/low-emission}),
 * {@code road/<class>/<n>} ({@code road/major/motorway}, {@code road/major/primary}, {@code road/minor/secondary},
 * {@code road/other/residential}), {@code parking/<n>} ({@code parking/lot}), {@code detector/<n>} ({@code detector}).
 * Zones are numbered from 1, west to east, then south to north. Neighboring zones share their corners exactly, roads
 * consist of segments that share their ends.
 *
 * @param seed what it was made from
 * @param size zones a side
 * @param entities all of them; zones, roads, car parks, detectors
 */
public record SeededCity(long seed, int size, List<PhysicalEntity> entities) {

    /** Seed of the demo. */
    public static final long DEFAULT_SEED = 17;

    /** Size of the demo: 36 zones and several hundred other entities. */
    public static final int DEFAULT_SIZE = 6;

    private static final int MIN_SIZE = 3;
    private static final int MAX_SIZE = 200;

    public SeededCity {
        entities = List.copyOf(entities);
    }

    /**
     * Makes a city.
     *
     * @param size zones a side, 3 to 200; a zone is about 800 m wide
     */
    public static SeededCity generate(long seed, int size) {
        if (size < MIN_SIZE || size > MAX_SIZE) {
            throw new IllegalArgumentException("city size is " + size + ", expected " + MIN_SIZE + " to " + MAX_SIZE);
        }
        return new SeededCity(seed, size, new CityPlan(seed, size).build());
    }

    /** The id of the zone in the middle, which the sample descriptors refer to. */
    public String centralZone() {
        return "zone/" + (size / 2 * size + size / 2 + 1);
    }

    /** One stage: the detectors in the central zone. */
    public String oneStageDescriptor() {
        return """
                {"stages": [
                  {"references": ["%s"], "categories": ["detector"], "where": {"relation": "coveredBy"}}
                ]}"""
                .formatted(centralZone());
    }

    /** Two stages, the second selected: the detectors within 40 m of the major roads that cross the central zone. */
    public String twoStageDescriptor() {
        return """
                {"stages": [
                  {"references": ["%s"], "categories": ["road/major"], "where": {"relation": "crosses"}},
                  {"from": [0], "categories": ["detector"], "where": {"relation": "dwithin", "distance": 40}}
                ],
                "select": [1]}"""
                .formatted(centralZone());
    }

    /** One stage with and, or and not: detectors and car parks around the central zone, but not in it. */
    public String booleanDescriptor() {
        return """
                {"stages": [
                  {"references": ["%s"],
                   "categories": ["detector", "parking"],
                   "where": {"and": [
                     {"or": [{"relation": "touches"}, {"relation": "dwithin", "distance": 400}]},
                     {"not": {"relation": "coveredBy"}}]}}
                ]}"""
                .formatted(centralZone());
    }
}
