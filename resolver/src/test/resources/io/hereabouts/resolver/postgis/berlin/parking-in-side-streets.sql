-- Kerb parking within 6 m of the residential streets that begin at a main road of Rixdorf.
WITH main AS (
  SELECT r.id, r.geom
  FROM hereabouts.entity r, hereabouts.entity rixdorf
  WHERE rixdorf.id = 'planning/08010404'
    AND EXISTS (SELECT 1 FROM unnest(r.categories) c WHERE c LIKE 'road/minor/%')
    AND ST_Intersects(r.geom, rixdorf.geom)
), side AS (
  SELECT DISTINCT r.id, r.geom
  FROM hereabouts.entity r JOIN main ON ST_Touches(r.geom, main.geom)
  WHERE 'road/other/residential' = ANY (r.categories)
)
SELECT DISTINCT kerb.id
FROM hereabouts.entity kerb JOIN side ON ST_DWithin(kerb.geom::geography, side.geom::geography, 6)
WHERE EXISTS (SELECT 1 FROM unnest(kerb.categories) c WHERE c LIKE 'kerb/%')
