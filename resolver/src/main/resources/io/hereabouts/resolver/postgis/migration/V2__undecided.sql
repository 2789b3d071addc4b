-- Of which entities the caller decides every relation. GEOS has none for collections of mixed types; and where a line
-- crosses itself, GEOS before 3.13 computes that point once more for the other geometry's edges through it, sees two
-- points instead of one, and finds parts of the lines outside of each other that are not.
CREATE FUNCTION hereabouts.is_undecided(geom geometry) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN GeometryType(geom) = 'GEOMETRYCOLLECTION' OR (ST_Dimension(geom) = 1 AND NOT ST_IsSimple(geom));

ALTER TABLE hereabouts.entity DROP COLUMN mixed;
ALTER TABLE hereabouts.entity
    ADD COLUMN undecided boolean GENERATED ALWAYS AS (hereabouts.is_undecided(geom)) STORED,
    ADD COLUMN puntal    boolean GENERATED ALWAYS AS (ST_Dimension(geom) = 0) STORED;
