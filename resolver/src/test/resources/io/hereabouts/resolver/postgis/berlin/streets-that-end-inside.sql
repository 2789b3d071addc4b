-- Streets that come from outside and have an end inside the area around Oranienplatz or Rixdorf.
SELECT DISTINCT street.id
FROM hereabouts.entity street, hereabouts.entity area
WHERE area.id IN ('planning/02030301', 'planning/08010404')
  AND EXISTS (SELECT 1 FROM unnest(street.categories) c WHERE c LIKE 'road/%')
  AND ST_Crosses(street.geom, area.geom)
  AND ST_Intersects(ST_Boundary(street.geom), area.geom)
