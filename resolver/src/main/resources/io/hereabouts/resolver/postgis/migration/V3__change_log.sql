-- What each version of the world changed. R__changes.sql fills it.

-- How many entries the log has, versions and touched entities, and how many of them are kept.
ALTER TABLE hereabouts.world
    ADD COLUMN logged     bigint NOT NULL DEFAULT 0,
    ADD COLUMN remembered bigint NOT NULL DEFAULT 200000 CHECK (remembered >= 0);

-- One row a version, without gaps from the oldest one that is known to the newest.
CREATE TABLE hereabouts.change (
    version    bigint      PRIMARY KEY,
    began      timestamptz NOT NULL DEFAULT now(),
    touched    bigint      NOT NULL DEFAULT 0,
    everything boolean     NOT NULL DEFAULT false   -- nothing else is known of it
);

-- NULL before an entity was there and after it is gone. Of an entity that is listed more than once all rows count.
CREATE TABLE hereabouts.touched (
    version           bigint           NOT NULL,
    id                text COLLATE "C" NOT NULL,
    categories_before text[],
    box_before        box,
    categories_after  text[],
    box_after         box
);
CREATE INDEX touched_version ON hereabouts.touched (version);

-- The writer's own, from before his first row on.
ALTER TABLE hereabouts.entity
    ALTER COLUMN version SET DEFAULT current_setting('hereabouts.version')::bigint;
