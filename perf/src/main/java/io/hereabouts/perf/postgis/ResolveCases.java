package io.hereabouts.perf.postgis;

import io.hereabouts.perf.postgis.ResolveCase.Kind;
import java.util.List;

/**
 * The neighborhoods that are resolved. The SQL is what somebody who knows PostGIS would write for each: on the world's
 * table with its indexes, joins in the order of the question, no more careful than these categories need. Where space
 * decides, categories are compared by {@code = ANY}, which their own index does not answer: together, PostgreSQL would use
 * both indexes and be slower. No state.
 */
final class ResolveCases {

    static final List<ResolveCase> ALL = List.of(
            oneStage("detectors covered by", "detector", "coveredBy", "ST_CoveredBy", Kind.ZONE),
            oneStage("roads crossing", "road", "crosses", "ST_Crosses", Kind.ZONE),
            oneStage("car parks within", "parking", "within", "ST_Within", Kind.ZONE),
            oneStageMetres(Kind.ZONE),
            oneStage("detectors covered by", "detector", "coveredBy", "ST_CoveredBy", Kind.AREA),
            oneStage("roads crossing", "road", "crosses", "ST_Crosses", Kind.AREA),
            oneStage("car parks within", "parking", "within", "ST_Within", Kind.AREA),
            oneStageMetres(Kind.AREA),
            elsewhere(),
            twoStages("touch", "touches", "ST_Touches", Kind.ZONE),
            twoStagesMetres("cross", "crosses", "ST_Crosses", Kind.ZONE),
            twoStages("meet", "intersects", "ST_Intersects", Kind.AREA),
            twoStagesMetres("meet", "intersects", "ST_Intersects", Kind.AREA));

    /** A geodesic from corner to corner is another line than the one that is straight in lon/lat, unless they are near. */
    private static final String SHORT_EDGED = "(SELECT ST_Segmentize(ST_GeomFromText(?, 4326), 0.002) AS geom)";

    private ResolveCases() {}

    private static ResolveCase oneStage(String what, String category, String relation, String test, Kind kind) {
        return new ResolveCase(
                "1 stage: " + what + noun(kind),
                kind == Kind.AREA,
                kind,
                false,
                """
                {"references": [REFERENCE], "categories": ["%s"], "where": {"relation": "%s"}}"""
                        .formatted(category, relation),
                0,
                """
                SELECT c.id FROM %s r JOIN hereabouts.entity c ON %s(c.geom, r.geom)
                WHERE %s AND '%s' = ANY (c.selectors)"""
                        .formatted(table(kind), test, filter(kind), category));
    }

    private static ResolveCase oneStageMetres(Kind kind) {
        return new ResolveCase(
                "1 stage: detectors within 200 m of" + noun(kind),
                kind == Kind.AREA,
                kind,
                true,
                """
                {"references": [REFERENCE], "categories": ["detector"], "where": {"relation": "dwithin", "distance": 200}}""",
                0,
                """
                SELECT c.id FROM %s r JOIN hereabouts.entity c ON ST_DWithin(c.geom::geography, r.geom::geography, 200)
                WHERE %s AND 'detector' = ANY (c.selectors)"""
                        .formatted(kind == Kind.AREA ? SHORT_EDGED : table(kind), filter(kind)));
    }

    /** Large, whatever it refers to. */
    private static ResolveCase elsewhere() {
        return new ResolveCase(
                "1 stage: detectors disjoint from a zone",
                true,
                Kind.ZONE,
                false,
                """
                {"references": [REFERENCE], "categories": ["detector"], "where": {"relation": "disjoint"}}""",
                0,
                """
                SELECT c.id FROM hereabouts.entity r JOIN hereabouts.entity c ON ST_Disjoint(c.geom, r.geom)
                WHERE r.id = ? AND c.selectors && '{detector}'""");
    }

    private static ResolveCase twoStages(String verb, String relation, String test, Kind kind) {
        return new ResolveCase(
                "2 stages: detectors covered by zones that " + verb + noun(kind),
                kind == Kind.AREA,
                kind,
                false,
                """
                {"references": [REFERENCE], "categories": ["zone"], "where": {"relation": "%s"}},
                {"from": [0], "categories": ["detector"], "where": {"relation": "coveredBy"}}"""
                        .formatted(relation),
                1,
                """
                SELECT DISTINCT d.id
                FROM %s r JOIN hereabouts.entity z ON %s(z.geom, r.geom)
                     JOIN hereabouts.entity d ON ST_CoveredBy(d.geom, z.geom)
                WHERE %s AND 'zone' = ANY (z.selectors) AND 'detector' = ANY (d.selectors)"""
                        .formatted(table(kind), test, filter(kind)));
    }

    private static ResolveCase twoStagesMetres(String verb, String relation, String test, Kind kind) {
        return new ResolveCase(
                "2 stages: detectors within 40 m of major roads that " + verb + noun(kind),
                kind == Kind.AREA,
                kind,
                true,
                """
                {"references": [REFERENCE], "categories": ["road/major"], "where": {"relation": "%s"}},
                {"from": [0], "categories": ["detector"], "where": {"relation": "dwithin", "distance": 40}}"""
                        .formatted(relation),
                1,
                """
                SELECT DISTINCT d.id
                FROM %s r JOIN hereabouts.entity s ON %s(s.geom, r.geom)
                     JOIN hereabouts.entity d ON ST_DWithin(d.geom::geography, s.geom::geography, 40)
                WHERE %s AND 'road/major' = ANY (s.selectors) AND 'detector' = ANY (d.selectors)"""
                        .formatted(table(kind), test, filter(kind)));
    }

    private static String noun(Kind kind) {
        return kind == Kind.AREA ? " an area" : " a zone";
    }

    private static String table(Kind kind) {
        return kind == Kind.AREA ? "(SELECT ST_GeomFromText(?, 4326) AS geom)" : "hereabouts.entity";
    }

    private static String filter(Kind kind) {
        return kind == Kind.AREA ? "true" : "r.id = ?";
    }
}
