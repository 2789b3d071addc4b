-- Parks, playgrounds and areas of one use that lie partly in, partly outside a planning area of Friedrichshain-Kreuzberg.
SELECT DISTINCT green.id
FROM hereabouts.entity green, hereabouts.entity area, hereabouts.entity district
WHERE district.id = 'district/02'
  AND 'zone/planning' = ANY (area.categories) AND ST_CoveredBy(area.geom, district.geom)
  AND EXISTS (SELECT 1 FROM unnest(green.categories) c
              WHERE c IN ('leisure/park', 'leisure/playground') OR c LIKE 'landuse/%')
  AND ST_Overlaps(green.geom, area.geom)
