-- The world model: entities, their categories, and the world's version.

CREATE EXTENSION IF NOT EXISTS postgis SCHEMA public;

-- One row. A writer increments it first, so writers queue up here and versions are in commit order.
CREATE TABLE hereabouts.world (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    version  bigint  NOT NULL
);
INSERT INTO hereabouts.world (version) VALUES (0);

-- A category and everything above it: {road/major} -> {road, road/major}. What selects an entity is one array overlap.
CREATE FUNCTION hereabouts.selectors(categories text[]) RETURNS text[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (SELECT array_agg(DISTINCT array_to_string(levels[1:depth], '/'))
            FROM unnest(categories) category,
                 string_to_array(category, '/') levels,
                 generate_series(1, cardinality(levels)) depth);

CREATE TABLE hereabouts.entity (
    id         text COLLATE "C"         PRIMARY KEY,
    geom       geometry(Geometry, 4326) NOT NULL,
    categories text[]                   NOT NULL CHECK (cardinality(categories) > 0),
    version    bigint                   NOT NULL,
    selectors  text[]  GENERATED ALWAYS AS (hereabouts.selectors(categories)) STORED,
    -- GEOS has no relations for collections of mixed types
    mixed      boolean GENERATED ALWAYS AS (GeometryType(geom) = 'GEOMETRYCOLLECTION') STORED
);
CREATE INDEX entity_geom ON hereabouts.entity USING gist (geom);
CREATE INDEX entity_selectors ON hereabouts.entity USING gin (selectors);
