-- Resolution of a neighborhood descriptor, stage by stage through temporary tables.
--
-- A condition on one candidate (c) and one reference (r) is true, false or unknown (NULL). Unknown is what this database
-- cannot decide as the rest of the system does: metres to an edge that is straight in lon/lat, geometries that are
-- undecided (see there), and how lines and areas meet, if they do: where one misses the other by the last digit of a
-- coordinate, GEOS and JTS round crossings to different points. SQL's own three-valued AND, OR and NOT carry that
-- through a Boolean expression, so that only candidates whose membership really depends on it are left open for the
-- caller.

-- The temporary tables of a session. Rows live as long as a transaction.
CREATE OR REPLACE FUNCTION hereabouts.prepare_session() RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    SET LOCAL client_min_messages = warning;
    CREATE TEMPORARY TABLE IF NOT EXISTS stage_reference (
        stage     integer  NOT NULL,
        ordinal   integer  NOT NULL,
        id        text COLLATE "C",   -- NULL for a geometry of the descriptor's own
        geom      geometry NOT NULL,
        undecided boolean  NOT NULL,
        puntal    boolean  NOT NULL
    ) ON COMMIT DELETE ROWS;
    -- is_in NULL: depends on the references with the ordinals in open_pairs
    CREATE TEMPORARY TABLE IF NOT EXISTS stage_candidate (
        stage      integer NOT NULL,
        id         text COLLATE "C" NOT NULL,
        is_in      boolean,
        open_pairs integer[]
    ) ON COMMIT DELETE ROWS;
END
$$;

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

-- The condition as an SQL expression over c and r.
CREATE OR REPLACE FUNCTION hereabouts.predicate(condition jsonb) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
    relation constant text := condition ->> 'relation';
    test     text;
BEGIN
    IF condition ? 'and' THEN
        RETURN (SELECT '(' || string_agg(hereabouts.predicate(part), ' AND ') || ')'
                FROM jsonb_array_elements(condition -> 'and') part);
    ELSIF condition ? 'or' THEN
        RETURN (SELECT '(' || string_agg(hereabouts.predicate(part), ' OR ') || ')'
                FROM jsonb_array_elements(condition -> 'or') part);
    ELSIF condition ? 'not' THEN
        RETURN '(NOT ' || hereabouts.predicate(condition -> 'not') || ')';
    ELSIF relation = 'dwithin' THEN
        RETURN 'CASE WHEN c.undecided OR r.undecided THEN NULL WHEN ST_Intersects(c.geom, r.geom) THEN true END';
    ELSIF relation = 'intersects' THEN
        RETURN 'CASE WHEN c.undecided OR r.undecided THEN NULL ELSE ST_Intersects(c.geom, r.geom) END';
    ELSIF relation = 'disjoint' THEN
        RETURN 'CASE WHEN c.undecided OR r.undecided THEN NULL ELSE NOT ST_Intersects(c.geom, r.geom) END';
    ELSIF relation = 'relate' THEN
        test := format('ST_Relate(c.geom, r.geom, %L)', condition ->> 'pattern');
    ELSE
        test := CASE relation
            WHEN 'equals'    THEN 'ST_Equals'
            WHEN 'touches'   THEN 'ST_Touches'
            WHEN 'crosses'   THEN 'ST_Crosses'
            WHEN 'within'    THEN 'ST_Within'
            WHEN 'contains'  THEN 'ST_Contains'
            WHEN 'overlaps'  THEN 'ST_Overlaps'
            WHEN 'covers'    THEN 'ST_Covers'
            WHEN 'coveredBy' THEN 'ST_CoveredBy'
        END || '(c.geom, r.geom)';
    END IF;
    IF test IS NULL THEN
        RAISE EXCEPTION 'unknown relation %', relation;
    END IF;
    RETURN format('CASE WHEN c.undecided OR r.undecided THEN NULL'
                  ' WHEN c.puntal OR r.puntal OR NOT ST_Intersects(c.geom, r.geom) THEN %s END', test);
END
$$;

-- Fills stage_reference. A reference that is no entity is passed over: the caller has looked for those.
CREATE OR REPLACE FUNCTION hereabouts.collect_references(stage_index integer, stage_descriptor jsonb) RETURNS integer
    LANGUAGE plpgsql AS $$
DECLARE
    total integer;
BEGIN
    INSERT INTO stage_reference (stage, ordinal, id, geom, undecided, puntal)
    SELECT stage_index, row_number() OVER (), id, geom, undecided, puntal
    FROM (
        SELECT e.id, e.geom, e.undecided, e.puntal
        FROM hereabouts.entity e
        WHERE e.id IN (
            SELECT reference #>> '{}'
            FROM jsonb_array_elements(stage_descriptor -> 'references') reference
            WHERE jsonb_typeof(reference) = 'string'
            UNION
            SELECT s.id
            FROM stage_candidate s
            WHERE s.is_in
              AND s.stage IN (SELECT earlier::integer FROM jsonb_array_elements_text(stage_descriptor -> 'from') earlier))
        UNION ALL
        SELECT NULL, inline, hereabouts.is_undecided(inline), ST_Dimension(inline) = 0
        FROM jsonb_array_elements(stage_descriptor -> 'references') reference,
             ST_GeomFromText(reference ->> 'wkt', 4326) inline
        WHERE jsonb_typeof(reference) = 'object'
    ) collected;
    GET DIAGNOSTICS total = ROW_COUNT;
    RETURN total;
END
$$;

-- Resolves one stage into stage_candidate and says how many candidates are left open.
--
--   bounded    false: every pair is looked at
--   metres     how far around a reference a pair is looked at
--   elsewhere  the condition's value for all pairs farther apart
--
-- For each candidate the pairs that were looked at are tallied; a candidate near to fewer references than there are has
-- pairs elsewhere too. What holds elsewhere is thereby the complement inside the category, without looking.
CREATE OR REPLACE FUNCTION hereabouts.resolve_stage(
    stage_index integer, stage_descriptor jsonb, bounded boolean, metres double precision, elsewhere boolean)
    RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    wanted constant text[]  := ARRAY(SELECT jsonb_array_elements_text(stage_descriptor -> 'categories'));
    match  constant text    := coalesce(stage_descriptor ->> 'match', 'any');
    total  constant integer := hereabouts.collect_references(stage_index, stage_descriptor);
    never_near_is_in constant boolean := CASE match
        WHEN 'any'  THEN total > 0 AND elsewhere
        WHEN 'all'  THEN total = 0 OR elsewhere
        WHEN 'none' THEN total = 0 OR NOT elsewhere
    END;
BEGIN
    EXECUTE format($query$
        INSERT INTO stage_candidate (stage, id, is_in, open_pairs)
        SELECT $1, id,
            CASE $3
                WHEN 'any' THEN CASE
                    WHEN some_true OR (near < $4 AND $5) THEN true
                    WHEN open_pairs IS NULL THEN false END
                WHEN 'all' THEN CASE
                    WHEN some_false OR (near < $4 AND NOT $5) THEN false
                    WHEN open_pairs IS NULL THEN true END
                WHEN 'none' THEN CASE
                    WHEN some_true OR (near < $4 AND $5) THEN false
                    WHEN open_pairs IS NULL THEN true END
            END,
            open_pairs
        FROM (
            SELECT id,
                   count(DISTINCT ordinal)  AS near,
                   bool_or(holds IS TRUE)   AS some_true,
                   bool_or(holds IS FALSE)  AS some_false,
                   array_agg(DISTINCT ordinal) FILTER (WHERE holds IS NULL) AS open_pairs
            FROM (
                SELECT c.id, r.ordinal, %s AS holds
                FROM stage_reference r
                %s
                WHERE r.stage = $1
                  AND c.selectors && $2
                  AND NOT EXISTS (SELECT FROM stage_reference x WHERE x.stage = $1 AND x.id = c.id)
            ) pair
            GROUP BY id
        ) tally $query$,
        hereabouts.predicate(stage_descriptor -> 'where'),
        CASE WHEN bounded
            THEN 'CROSS JOIN LATERAL hereabouts.near_boxes(r.geom, $6) box'
                 ' JOIN hereabouts.entity c ON c.geom && box'
            ELSE 'CROSS JOIN hereabouts.entity c'
        END)
    USING stage_index, wanted, match, total, elsewhere, metres;

    IF never_near_is_in THEN
        INSERT INTO stage_candidate (stage, id, is_in)
        SELECT stage_index, c.id, true
        FROM hereabouts.entity c
        WHERE c.selectors && wanted
          AND NOT EXISTS (SELECT FROM stage_candidate t WHERE t.stage = stage_index AND t.id = c.id)
          AND NOT EXISTS (SELECT FROM stage_reference x WHERE x.stage = stage_index AND x.id = c.id);
    END IF;

    RETURN (SELECT count(*) FROM stage_candidate WHERE stage = stage_index AND is_in IS NULL);
END
$$;
