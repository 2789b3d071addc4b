package io.hereabouts.perf.mqtt;

import io.hereabouts.launcher.WorldTarget;
import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.resolver.world.WorldUnavailableException;
import io.hereabouts.schemas.settings.InvalidSettingsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;

/**
 * A zone and the detectors in it, far from any city, added to the world that the stack has: ids and category are this
 * run's own, so nobody else publishes about them or asks for them. When closed it is removed, unless the stack goes with
 * all its world. For one thread.
 */
final class TinyWorld implements AutoCloseable {

    /** References of one stage. */
    static final int MAX_DETECTORS = 1_000;

    private static final GeometryFactory GEOMETRIES = new GeometryFactory();
    private static final double STEP = 1e-4;

    private final WorldTarget target;
    private final boolean removed;
    private final String prefix;
    private final List<String> detectors = new ArrayList<>();

    private TinyWorld(WorldTarget target, boolean removed, String prefix, int detectors) {
        this.target = target;
        this.removed = removed;
        this.prefix = prefix;
        for (int d = 0; d < detectors; d++) {
            this.detectors.add(prefix + "/detector/" + d);
        }
    }

    /**
     * Adds the world and waits until the stack resolves neighborhoods against all of it.
     *
     * @param prefix begins every id, and is the category
     */
    static TinyWorld add(TestBed bed, String prefix, int detectors) throws MeasurementException, InterruptedException {
        try {
            TinyWorld world =
                    new TinyWorld(WorldTarget.open(bed.settings(), bed.wiring()), bed.stays(), prefix, detectors);
            try {
                world.write();
                world.awaitKnown(bed);
            } catch (MeasurementException | RuntimeException | InterruptedException | WorldUnavailableException e) {
                world.close();
                throw e;
            }
            return world;
        } catch (WorldUnavailableException | InvalidSettingsException e) {
            throw new MeasurementException("the world cannot be written", e);
        }
    }

    /** Ids of the detectors. */
    List<String> detectors() {
        return detectors;
    }

    /**
     * A neighborhood of all detectors.
     *
     * @param variant neighborhoods of different variants are different ones with the same entities
     */
    String descriptor(int variant) {
        return String.format(Locale.ROOT, "{\"stages\": [%s]}", inZone(variant));
    }

    private String inZone(int variant) {
        return String.format(
                Locale.ROOT,
                "{\"references\": [\"%s\"], \"categories\": [\"%s\"], \"where\": {\"relation\": \"dwithin\", \"distance\": %.3f}}",
                zone(),
                category("detector"),
                1 + variant / 1e3);
    }

    private String zone() {
        return prefix + "/zone";
    }

    private String category(String name) {
        return prefix + "/" + name;
    }

    private void write() throws WorldUnavailableException {
        for (int d = 0; d < detectors.size(); d++) {
            target.upsert(entity(detectors.get(d), "detector", GEOMETRIES.createPoint(new Coordinate(d * STEP, 0))));
        }
        Envelope around = new Envelope(-STEP, detectors.size() * STEP, -STEP, STEP);
        target.upsert(entity(zone(), "zone", GEOMETRIES.toGeometry(around)));
        target.finish();
    }

    private PhysicalEntity entity(String id, String category, Geometry geometry) {
        return new PhysicalEntity(EntityId.of(id), geometry, new TreeSet<>(List.of(Category.of(category(category)))));
    }

    /**
     * A stack's world may follow later, entity by entity. A neighborhood with a reference that is unknown is refused: one
     * that names every entity as a reference is accepted once the last is known.
     */
    private void awaitKnown(TestBed bed) throws MeasurementException, InterruptedException {
        String every = String.format(
                Locale.ROOT,
                "{\"stages\": [{\"references\": [%s], \"categories\": [\"%s\"]}, %s], \"select\": [1]}",
                detectors.stream().map(id -> "\"" + id + "\"").collect(Collectors.joining(", ")),
                category("zone"),
                inZone(0));
        bed.awaitAccepted(prefix.replace('/', '-') + "-world", every);
    }

    @Override
    public void close() throws MeasurementException {
        // Ctrl-C may have come as an interrupt, which Kafka's clients would answer at once
        boolean interrupted = Thread.interrupted();
        try (target) {
            if (!removed) {
                return;
            }
            for (String detector : detectors) {
                target.delete(EntityId.of(detector));
            }
            target.delete(EntityId.of(zone()));
            target.finish();
        } catch (WorldUnavailableException e) {
            throw new MeasurementException("the entities " + prefix + "/# stay in the world", e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
