-- Kerb parking of quiet streets in the planning areas that are crossed by a motorway that meets Neukölln.
WITH motorway AS (
  SELECT road.geom
  FROM hereabouts.entity road, hereabouts.entity district
  WHERE district.id = 'district/08'
    AND 'road/major/motorway' = ANY (road.categories)
    AND ST_Intersects(road.geom, district.geom)
), noisy AS (
  SELECT area.id, area.geom
  FROM hereabouts.entity area
  WHERE 'zone/planning' = ANY (area.categories)
    AND EXISTS (SELECT 1 FROM motorway WHERE ST_Crosses(area.geom, motorway.geom))
)
SELECT kerb.id
FROM hereabouts.entity kerb
WHERE kerb.categories && ARRAY['kerb/residential', 'kerb/living_street']
  AND EXISTS (SELECT 1 FROM noisy WHERE ST_Within(kerb.geom, noisy.geom))
