-- Planning areas of Berlin in which none of the devices lies that count the traffic of Neukölln.
WITH device AS (
  SELECT DISTINCT d.id, d.geom
  FROM hereabouts.entity d, hereabouts.entity area, hereabouts.entity forecast
  WHERE forecast.id IN ('forecast/0801', 'forecast/0802', 'forecast/0803', 'forecast/0804')
    AND 'zone/planning' = ANY (area.categories) AND ST_CoveredBy(area.geom, forecast.geom)
    AND d.categories && ARRAY['detector', 'counter'] AND ST_Intersects(d.geom, area.geom)
)
SELECT area.id
FROM hereabouts.entity area LEFT JOIN device ON ST_Intersects(area.geom, device.geom)
WHERE 'zone/planning' = ANY (area.categories)
GROUP BY area.id
HAVING count(device.id) = 0
