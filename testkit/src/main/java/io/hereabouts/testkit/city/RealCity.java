package io.hereabouts.testkit.city;

import io.hereabouts.testkit.data.PublishedData;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * Berlin as public data sets have it: districts, streets and car parks of Neukölln and the centre, and the city's traffic
 * detectors. The data is not part of this repository, see {@link PublishedData}.
 * No state.
 */
public final class RealCity {

    /** Detectors within 100 m of primary or secondary roads that intersect Neukölln, Mitte or Friedrichshain-Kreuzberg. */
    public static final String DETECTORS_AT_MAIN_ROADS =
            """
            {"stages": [
               {"references": ["district/08", "district/01", "district/02"],
                "categories": ["road/major/primary", "road/minor/secondary"],
                "where": {"relation": "intersects"}},
               {"from": [0],
                "categories": ["detector"],
                "where": {"relation": "dwithin", "distance": 100}}],
             "select": [1]}
            """;

    /** Detectors in the districts that touch Neukölln. */
    public static final String DETECTORS_AROUND_NEUKOELLN =
            """
            {"stages": [
               {"references": ["district/08"],
                "categories": ["zone/district"],
                "where": {"relation": "touches"}},
               {"from": [0],
                "categories": ["detector"],
                "where": {"relation": "coveredBy"}}],
             "select": [1]}
            """;

    /** Hourly counts of the detectors in March 2024, separated by semicolons, the detector's id first. */
    public static final String READINGS = "sensors/berlin-verkehrsdetektion/mq_hr_2024_03.csv.gz";

    private RealCity() {}

    /**
     * The folder of the data; empty if it is not here, and then a line {@code NOT RUN: real city (reason)} is printed.
     */
    public static Optional<Path> data() {
        return PublishedData.with("world", "real city");
    }

    /** Which files make the world, and how to read them: a manifest as {@code world import} takes it. */
    public static String manifest() {
        try (InputStream in = RealCity.class.getResourceAsStream("berlin.world.json")) {
            return new String(Objects.requireNonNull(in, "berlin.world.json").readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
