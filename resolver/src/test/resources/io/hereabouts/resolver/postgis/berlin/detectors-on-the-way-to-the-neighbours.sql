-- Main roads that cross the border of a neighbour of Rixdorf, and what counts traffic within 30 m of them.
WITH neighbour AS (
  SELECT area.id, area.geom
  FROM hereabouts.entity area, hereabouts.entity rixdorf
  WHERE rixdorf.id = 'planning/08010404' AND area.id <> rixdorf.id
    AND 'zone/planning' = ANY (area.categories)
    AND ST_Intersects(area.geom, rixdorf.geom)
), road AS (
  SELECT DISTINCT r.id, r.geom
  FROM hereabouts.entity r JOIN neighbour ON ST_Crosses(r.geom, neighbour.geom)
  WHERE EXISTS (SELECT 1 FROM unnest(r.categories) c WHERE c LIKE 'road/minor/%' OR c LIKE 'road/major/%')
)
SELECT id FROM road
UNION
SELECT counting.id
FROM hereabouts.entity counting JOIN road ON ST_DWithin(counting.geom::geography, road.geom::geography, 30)
WHERE counting.categories && ARRAY['detector', 'counter']
