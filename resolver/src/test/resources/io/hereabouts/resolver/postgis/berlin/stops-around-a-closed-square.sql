-- Stops and bicycle parking in a drawn area around Oranienplatz, without the square itself, which is closed.
SELECT e.id
FROM hereabouts.entity e
WHERE EXISTS (SELECT 1 FROM unnest(e.categories) c
              WHERE c LIKE 'transit/%' OR c = 'amenity/bicycle_parking')
  AND ST_CoveredBy(e.geom, ST_GeomFromText(
        'POLYGON ((13.4155 52.4975, 13.4215 52.4975, 13.4215 52.5045, 13.4155 52.5045, 13.4155 52.4975),
                  (13.4170 52.5000, 13.4200 52.5000, 13.4200 52.5020, 13.4170 52.5020, 13.4170 52.5000))', 4326))
