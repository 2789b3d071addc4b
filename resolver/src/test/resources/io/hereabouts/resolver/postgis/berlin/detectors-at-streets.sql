-- Detectors within 20 m of a street of the city, as far as there are streets.
SELECT DISTINCT detector.id
FROM hereabouts.entity detector
JOIN hereabouts.entity street
  ON EXISTS (SELECT 1 FROM unnest(street.categories) c WHERE c LIKE 'road/%')
 AND street.geom && ST_Expand(detector.geom, 0.001)
 AND ST_DWithin(street.geom::geography, detector.geom::geography, 20)
WHERE 'detector' = ANY (detector.categories)
  AND EXISTS (SELECT 1 FROM hereabouts.entity district
              WHERE 'zone/district' = ANY (district.categories) AND ST_Intersects(street.geom, district.geom))
