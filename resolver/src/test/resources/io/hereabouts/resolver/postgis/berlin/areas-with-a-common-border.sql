-- Planning areas that have a stretch of border in common with the Reuterkiez, not only a corner.
SELECT area.id
FROM hereabouts.entity area, hereabouts.entity reuter
WHERE reuter.id = 'planning/08010301' AND area.id <> reuter.id
  AND 'zone/planning' = ANY (area.categories)
  AND ST_Dimension(ST_Intersection(area.geom, reuter.geom)) = 1
