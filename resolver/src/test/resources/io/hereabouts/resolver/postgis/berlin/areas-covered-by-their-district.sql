-- Planning areas that no corner sticks out of their district. All belong to one, but the two files were digitised apart.
SELECT area.id
FROM hereabouts.entity area JOIN hereabouts.entity district ON ST_CoveredBy(area.geom, district.geom)
WHERE 'zone/planning' = ANY (area.categories) AND 'zone/district' = ANY (district.categories)
