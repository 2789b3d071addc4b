-- Bicycle parking within 75 m of an entrance to the underground in Friedrichshain-Kreuzberg.
SELECT DISTINCT rack.id
FROM hereabouts.entity district
JOIN hereabouts.entity entrance
  ON 'transit/subway_entrance' = ANY (entrance.categories) AND ST_CoveredBy(entrance.geom, district.geom)
JOIN hereabouts.entity rack
  ON 'amenity/bicycle_parking' = ANY (rack.categories)
 AND ST_DWithin(rack.geom::geography, entrance.geom::geography, 75)
WHERE district.id = 'district/02'
