-- A procession up Warschauer Straße: the streets that it cuts, and the stops within 60 m of it or of these streets.
WITH procession AS (
  SELECT ST_GeomFromText('LINESTRING (13.4489 52.5051, 13.4517 52.5105, 13.4540 52.5158)', 4326) AS geom
), cut AS (
  SELECT street.id, street.geom
  FROM hereabouts.entity street, procession
  WHERE EXISTS (SELECT 1 FROM unnest(street.categories) c
                WHERE c LIKE 'road/major/%' OR c LIKE 'road/minor/%' OR c = 'road/other/residential')
    AND ST_Crosses(street.geom, procession.geom)
)
SELECT id FROM cut
UNION
SELECT stop.id
FROM hereabouts.entity stop, (SELECT geom FROM cut UNION ALL SELECT geom FROM procession) way
WHERE stop.categories && ARRAY['transit/bus_stop', 'transit/tram_stop', 'transit/taxi']
  AND ST_DWithin(stop.geom::geography, way.geom::geography, 60)
