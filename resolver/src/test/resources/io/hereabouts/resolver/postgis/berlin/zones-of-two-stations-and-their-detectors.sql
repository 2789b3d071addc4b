-- The zones that Kottbusser Tor or Mehringdamm station lies in, and all detectors of these zones.
WITH z AS (
  SELECT DISTINCT zone.id, zone.geom
  FROM hereabouts.entity zone, hereabouts.entity station
  WHERE station.id IN ('n3900136339', 'n3949521962')
    AND zone.categories && ARRAY['zone/planning', 'zone/forecast']
    AND ST_Covers(zone.geom, station.geom)
)
SELECT id FROM z
UNION
SELECT d.id FROM hereabouts.entity d JOIN z ON ST_Covers(z.geom, d.geom)
WHERE 'detector' = ANY (d.categories)
