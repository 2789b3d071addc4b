package io.hereabouts.perf.mqtt;

import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.perf.MeasurementException;
import java.util.List;

/** Where somebody without Hereabouts asks in which zones an entity is. Thread-safe; what it opens is for one thread each. */
public interface Zones extends AutoCloseable {

    /** Puts entities there. */
    @FunctionalInterface
    interface Source {
        /** @throws MeasurementException if it refuses something */
        Zones fill(List<PhysicalEntity> zones, List<PhysicalEntity> others) throws MeasurementException;
    }

    /** A connection to it, for one thread. */
    interface Lookup extends AutoCloseable {
        /**
         * Ids of the zones that the entity is in.
         *
         * @throws MeasurementException if it does not answer
         */
        List<String> zonesOf(String entity) throws MeasurementException;

        @Override
        void close();
    }

    /**
     * Opens a connection.
     *
     * @throws MeasurementException if it is refused
     */
    Lookup lookup() throws MeasurementException;

    @Override
    void close();
}
