package io.hereabouts.resolver.world;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The physical entities of a world and the one question asked about them: which entities does a neighborhood descriptor
 * mean? Every implementation gives the same answer to the same descriptor.
 *
 * <p>A world has versions, numbered from 0 (empty) in the order in which change sets were committed. Each answer comes
 * from one version, however long it takes and whatever is committed meanwhile.
 *
 * <p>Thread-safe: readers never wait for each other; change sets are applied one at a time.
 *
 * @see <a href="https://arxiv.org/abs/2608.25728">Ungrund, Rothermel, Bhowmik: A Spatially-Aware Publish-Subscribe
 *     Middleware for IoT Applications</a>
 */
public interface WorldModel extends AutoCloseable {

    /** As {@link #resolve(NeighborhoodDescriptor, UnknownReferences)}; unknown references are refused. */
    default Resolution resolve(NeighborhoodDescriptor descriptor)
            throws UnresolvableException, WorldUnavailableException {
        return resolve(descriptor, UnknownReferences.REFUSE);
    }

    /**
     * The entities that the descriptor means in the newest version.
     *
     * @throws UnresolvableException if the descriptor cannot be resolved in this world: the descriptor's fault, asking
     *     again does not help
     * @throws WorldUnavailableException if the world cannot be asked now: nobody's fault, ask again later
     */
    Resolution resolve(NeighborhoodDescriptor descriptor, UnknownReferences unknown)
            throws UnresolvableException, WorldUnavailableException;

    /**
     * The changes that made the versions after {@code since}, oldest first, each once. Waits for the first one.
     *
     * <p>If some of them are no longer known, or the world never had that version, there is one change that says that
     * everything may have changed.
     *
     * @return empty if no version came in time
     */
    List<WorldChange> awaitChanges(long since, Duration atMost) throws WorldUnavailableException, InterruptedException;

    /** The newest version; 0 for a world that was never changed. */
    long version() throws WorldUnavailableException;

    /** Which of these the newest version does not have; however many they are, it is asked once. */
    MissingEntities missing(Set<EntityId> ids) throws WorldUnavailableException;

    /** The entity with this id in the newest version, or empty if there is none. */
    Optional<PhysicalEntity> entity(EntityId id) throws WorldUnavailableException;

    /**
     * Hands every entity of the newest version to {@code each}, in no particular order, and holds none of them back in
     * memory. An exception of {@code each} ends the scan and is passed on.
     *
     * @return the version that was scanned
     */
    long scan(Consumer<PhysicalEntity> each) throws WorldUnavailableException;

    /**
     * Makes the next version: all of the change set or, if an exception is thrown, nothing of it. An empty change set
     * makes no version.
     *
     * @return the newest version, with the change set in it
     */
    long apply(ChangeSet changes) throws WorldUnavailableException;

    /** Lets go of connections and memory. Further calls fail. */
    @Override
    void close();
}
