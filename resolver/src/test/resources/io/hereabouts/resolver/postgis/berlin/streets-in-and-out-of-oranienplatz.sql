-- Streets that lead into the area around Oranienplatz, or pass it within 20 m, but are not all inside.
SELECT street.id
FROM hereabouts.entity street, hereabouts.entity area
WHERE area.id = 'planning/02030301'
  AND EXISTS (SELECT 1 FROM unnest(street.categories) c WHERE c LIKE 'road/%')
  AND (ST_Crosses(street.geom, area.geom)
       OR ST_Touches(street.geom, area.geom)
       OR ST_DWithin(street.geom::geography, area.geom::geography, 20))
  AND NOT ST_CoveredBy(street.geom, area.geom)
