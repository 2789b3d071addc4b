-- Numbers the versions of the world, and logs what each of them changed, whoever writes.
--
-- A transaction takes its version before its first statement on hereabouts.entity, by updating the one row of
-- hereabouts.world: that row stays locked until the commit, so versions are in commit order. Which version it took is in
-- the setting hereabouts.version, which ends with the transaction and goes back with a savepoint.
--
-- Everybody takes locks in one order, the table's before that of hereabouts.world before those of entities, so writers do
-- not deadlock. Triggers run with the rights of the schema's owner: who writes needs none but on the entities.

-- Before an update of hereabouts.world.version: what goes with a new version, whoever makes it.
CREATE OR REPLACE FUNCTION hereabouts.number_version() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    by_hand constant boolean := NEW.version <> OLD.version + 1;
BEGIN
    IF NEW.version = OLD.version THEN
        RETURN NEW;
    END IF;
    IF by_hand THEN
        DELETE FROM hereabouts.touched;
        DELETE FROM hereabouts.change;
        NEW.logged := 0;
    END IF;
    INSERT INTO hereabouts.change (version, everything) VALUES (NEW.version, by_hand);
    NEW.logged := NEW.logged + 1;
    PERFORM set_config('hereabouts.version', NEW.version::text, true);
    PERFORM pg_notify('hereabouts_world', '');
    RETURN NEW;
END
$$;

-- Before a statement on hereabouts.entity: the transaction has a version from here on. While it has one, that is the newest.
CREATE OR REPLACE FUNCTION hereabouts.begin_change() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    UPDATE hereabouts.world SET version = version + 1
    WHERE version::text IS DISTINCT FROM current_setting('hereabouts.version', true);
    RETURN NULL;
END
$$;

-- Before a row is changed: an entity has the version that changed it last. A new row has it by default: with a trigger for
-- each row, COPY would not write many rows at a time.
CREATE OR REPLACE FUNCTION hereabouts.stamp_entity() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    NEW.version := current_setting('hereabouts.version');
    RETURN NEW;
END
$$;

-- Before a row is overwritten with what it holds already.
CREATE OR REPLACE FUNCTION hereabouts.keep_stamp() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    NEW.version := OLD.version;
    RETURN NEW;
END
$$;

CREATE OR REPLACE FUNCTION hereabouts.has_empty_part(geom geometry) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT EXISTS (SELECT FROM ST_Dump(geom) part WHERE ST_IsEmpty(part.geom))
$$;

-- The limit is in UTF-16 code units.
CREATE OR REPLACE FUNCTION hereabouts.has_long_category(categories text[]) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT EXISTS (SELECT FROM unnest(categories) category
                   WHERE char_length(regexp_replace(category, '[\U00010000-\U0010ffff]', 'xx', 'g')) > 256)
$$;

-- What is wrong with an entity, or NULL: the rules of EntityId, Category and GeometryRules for those who write SQL. One
-- expression, so that the planner puts it into the query that asks.
CREATE OR REPLACE FUNCTION hereabouts.problem(id text, geom geometry, categories text[]) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT CASE
        WHEN octet_length(id) NOT BETWEEN 1 AND 256
            THEN 'the id has ' || octet_length(id) || ' bytes, expected 1 to 256'
        WHEN id ~ '[\u0001-\u001f\u007f-\u009f]' THEN 'the id has a control character'
        WHEN array_ndims(categories) <> 1 THEN 'the categories are an array of arrays'
        WHEN array_position(categories, NULL) IS NOT NULL THEN 'a category is NULL'
        WHEN array_to_string(categories, '') ~ '[\u0001-\u001f\u007f-\u009f+#]'
            THEN 'a category has a control character, ''+'' or ''#'''
        WHEN '#' || array_to_string(categories, '#') || '#' ~ '[#/][#/]'
            THEN 'a category is empty or has an empty level'
        WHEN octet_length(array_to_string(categories, '')) > 256 AND hereabouts.has_long_category(categories)
            THEN 'a category has more than 256 characters'
        WHEN GeometryType(geom) NOT IN ('POINT', 'LINESTRING', 'POLYGON', 'MULTIPOINT', 'MULTILINESTRING',
                                        'MULTIPOLYGON', 'GEOMETRYCOLLECTION')
            THEN 'geometry of type ' || GeometryType(geom)
        WHEN ST_IsEmpty(geom) THEN 'geometry is EMPTY'
        WHEN NOT (ST_XMin(geom) >= -180 AND ST_XMax(geom) <= 180 AND ST_YMin(geom) >= -90 AND ST_YMax(geom) <= 90)
            THEN 'a coordinate is outside lon -180..180, lat -90..90, or not finite'
        WHEN NOT ST_IsValid(geom) THEN 'invalid geometry: ' || ST_IsValidReason(geom)
        WHEN GeometryType(geom) NOT IN ('POINT', 'LINESTRING', 'POLYGON') AND hereabouts.has_empty_part(geom)
            THEN 'geometry has an EMPTY part'
    END
$$;

-- Forgets the oldest versions. A version of its own too large is then only known to have been.
CREATE OR REPLACE FUNCTION hereabouts.cut_log() RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    newest bigint;
    most   bigint;
    last   bigint;
BEGIN
    SELECT version, remembered INTO newest, most FROM hereabouts.world;
    SELECT max(version) INTO last
    FROM (SELECT version, sum(1 + touched) OVER (ORDER BY version DESC) AS entries FROM hereabouts.change) c
    WHERE entries > most;
    DELETE FROM hereabouts.touched WHERE version <= last;
    DELETE FROM hereabouts.change WHERE version <= last AND version < newest;
    UPDATE hereabouts.change SET touched = 0, everything = true WHERE version <= last;
    UPDATE hereabouts.world SET logged = (SELECT sum(1 + touched) FROM hereabouts.change);
END
$$;

-- After a statement on hereabouts.entity: refuses what breaks the rules and logs the rest. Rows that were overwritten with
-- what they held already are not touched.
CREATE OR REPLACE FUNCTION hereabouts.log_change() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET jit = off AS $$
DECLARE
    own      constant bigint := current_setting('hereabouts.version');
    most     constant bigint := (SELECT remembered FROM hereabouts.world);
    total    bigint := 0;
    overfull boolean;
    bad      record;
BEGIN
    IF TG_OP IN ('INSERT', 'UPDATE') THEN
        SELECT id, coalesce(hereabouts.problem(id, geom, categories), 'the version is not for who writes to choose')
            AS problem INTO bad
        FROM new_rows
        WHERE hereabouts.problem(id, geom, categories) IS NOT NULL OR (TG_OP = 'INSERT' AND version <> own)
        LIMIT 1;
        IF FOUND THEN
            RAISE check_violation USING MESSAGE = format('entity %L: %s', bad.id, bad.problem),
                SCHEMA = 'hereabouts', TABLE = 'entity';
        END IF;
    END IF;
    IF (SELECT everything FROM hereabouts.change WHERE version = own) THEN
        RETURN NULL;
    END IF;
    IF TG_OP = 'INSERT' THEN
        INSERT INTO hereabouts.touched
        SELECT own, id, NULL, NULL, categories, geom::box FROM new_rows LIMIT most + 1;
    ELSIF TG_OP = 'UPDATE' THEN
        INSERT INTO hereabouts.touched
        SELECT own, coalesce(o.id, n.id), o.categories, o.geom::box, n.categories, n.geom::box
        FROM old_rows o FULL JOIN new_rows n ON o.id = n.id
        WHERE o.geom IS DISTINCT FROM n.geom OR o.categories IS DISTINCT FROM n.categories LIMIT most + 1;
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO hereabouts.touched
        SELECT own, id, categories, geom::box, NULL, NULL FROM old_rows LIMIT most + 1;
    END IF;
    IF TG_OP <> 'TRUNCATE' THEN
        GET DIAGNOSTICS total = ROW_COUNT;
    END IF;
    UPDATE hereabouts.change
    SET touched = touched + total, everything = TG_OP = 'TRUNCATE' OR total > most
    WHERE version = own;
    UPDATE hereabouts.world SET logged = logged + total RETURNING logged > remembered + remembered / 10 INTO overfull;
    IF overfull THEN
        PERFORM hereabouts.cut_log();
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER number_version BEFORE UPDATE OF version ON hereabouts.world
    FOR EACH ROW EXECUTE FUNCTION hereabouts.number_version();

CREATE OR REPLACE TRIGGER begin_change BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON hereabouts.entity
    FOR EACH STATEMENT EXECUTE FUNCTION hereabouts.begin_change();
CREATE OR REPLACE TRIGGER stamp_update BEFORE UPDATE ON hereabouts.entity FOR EACH ROW
    WHEN ((OLD.id, OLD.geom, OLD.categories) IS DISTINCT FROM (NEW.id, NEW.geom, NEW.categories))
    EXECUTE FUNCTION hereabouts.stamp_entity();
CREATE OR REPLACE TRIGGER keep_stamp BEFORE UPDATE ON hereabouts.entity FOR EACH ROW
    WHEN (OLD.version IS DISTINCT FROM NEW.version
          AND (OLD.id, OLD.geom, OLD.categories) IS NOT DISTINCT FROM (NEW.id, NEW.geom, NEW.categories))
    EXECUTE FUNCTION hereabouts.keep_stamp();
CREATE OR REPLACE TRIGGER log_insert AFTER INSERT ON hereabouts.entity
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION hereabouts.log_change();
CREATE OR REPLACE TRIGGER log_update AFTER UPDATE ON hereabouts.entity
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION hereabouts.log_change();
CREATE OR REPLACE TRIGGER log_delete AFTER DELETE ON hereabouts.entity
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION hereabouts.log_change();
CREATE OR REPLACE TRIGGER log_truncate AFTER TRUNCATE ON hereabouts.entity
    FOR EACH STATEMENT EXECUTE FUNCTION hereabouts.log_change();

-- In sessions that replicate, too.
ALTER TABLE hereabouts.world ENABLE ALWAYS TRIGGER number_version;
ALTER TABLE hereabouts.entity
    ENABLE ALWAYS TRIGGER begin_change,
    ENABLE ALWAYS TRIGGER keep_stamp,
    ENABLE ALWAYS TRIGGER stamp_update,
    ENABLE ALWAYS TRIGGER log_insert,
    ENABLE ALWAYS TRIGGER log_update,
    ENABLE ALWAYS TRIGGER log_delete,
    ENABLE ALWAYS TRIGGER log_truncate;
