-- What resolving a neighborhood descriptor needs besides the tables.

-- Earlier versions resolved through temporary tables.
SET LOCAL client_min_messages = warning;
DROP FUNCTION IF EXISTS hereabouts.prepare_session();
DROP FUNCTION IF EXISTS hereabouts.resolve_stage(integer, jsonb, boolean, double precision, boolean);
DROP FUNCTION IF EXISTS hereabouts.collect_references(integer, jsonb);
DROP FUNCTION IF EXISTS hereabouts.predicate(jsonb);

-- Boxes that together hold every point within some metres of the reference's box: never too small, for they only propose.
-- On a path of d metres the latitude changes by at most d / M, M the least meridional radius of curvature; the longitude
-- by at most d / (a cos of the highest latitude reached). Two boxes where one would reach over the antimeridian.
CREATE OR REPLACE FUNCTION hereabouts.near_boxes(reference geometry, metres double precision)
    RETURNS SETOF geometry
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE ROWS 1 AS $$
DECLARE
    up    constant double precision := degrees(metres / 6335439.0) + 1e-10;
    south constant double precision := greatest(-90, ST_YMin(reference) - up);
    north constant double precision := least(90, ST_YMax(reference) + up);
    aside double precision;
    west  double precision;
    east  double precision;
BEGIN
    IF metres = 0 THEN
        RETURN NEXT ST_Envelope(reference);
        RETURN;
    END IF;
    IF greatest(-south, north) > 89.9 THEN
        RETURN NEXT ST_MakeEnvelope(-180, south, 180, north, 4326);
        RETURN;
    END IF;
    aside := degrees(metres / (6378137.0 * cosd(greatest(-south, north)))) * (1 + 1e-9) + 1e-10;
    west := ST_XMin(reference) - aside;
    east := ST_XMax(reference) + aside;
    IF east - west >= 360 THEN
        RETURN NEXT ST_MakeEnvelope(-180, south, 180, north, 4326);
        RETURN;
    END IF;
    IF west < -180 THEN
        RETURN NEXT ST_MakeEnvelope(west + 360, south, 180, north, 4326);
    END IF;
    IF east > 180 THEN
        RETURN NEXT ST_MakeEnvelope(-180, south, east - 360, north, 4326);
    END IF;
    RETURN NEXT ST_MakeEnvelope(greatest(west, -180), south, least(east, 180), north, 4326);
END
$$;
