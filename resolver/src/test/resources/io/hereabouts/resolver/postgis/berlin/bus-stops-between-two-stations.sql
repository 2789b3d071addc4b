-- Bus stops at most 700 m away from both Kottbusser Tor and Moritzplatz.
SELECT stop.id
FROM hereabouts.entity stop, hereabouts.entity kottbusser, hereabouts.entity moritz
WHERE 'transit/bus_stop' = ANY (stop.categories)
  AND kottbusser.id = 'n3900136339' AND ST_DWithin(stop.geom::geography, kottbusser.geom::geography, 700)
  AND moritz.id = 'n3844467019' AND ST_DWithin(stop.geom::geography, moritz.geom::geography, 700)
