package io.hereabouts.resolver.kafka;

import io.hereabouts.resolver.world.WorldChange;
import io.hereabouts.resolver.world.WorldModel;
import io.hereabouts.resolver.world.WorldUnavailableException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that tells a tenure each change of the world, in order. */
final class WorldFollower implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WorldFollower.class);
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final WorldModel world;
    private final Tenure tenure;
    private final Thread thread = new Thread(this::run, "hereabouts-world-changes");

    private volatile boolean closing;

    private WorldFollower(WorldModel world, Tenure tenure) {
        this.world = world;
        this.tenure = tenure;
        thread.setDaemon(true);
    }

    static WorldFollower start(WorldModel world, Tenure tenure) {
        WorldFollower follower = new WorldFollower(world, tenure);
        follower.thread.start();
        return follower;
    }

    private void run() {
        boolean away = false;
        while (!closing && !tenure.failed()) {
            try {
                if (!tenure.isChecked()) {
                    tenure.check(world.missing(tenure.references()));
                }
                for (WorldChange change : world.awaitChanges(tenure.seen(), PATIENCE)) {
                    tell(change);
                }
                away = false;
            } catch (WorldUnavailableException e) {
                if (!away && !closing) {
                    LOG.warn("changes of the world are not followed: {}", e.getMessage());
                }
                away = true;
                pause();
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                LOG.error("changes of the world are not followed", e);
                pause();
            }
        }
    }

    /** A change that is not taken as a whole would be lost: then everything is taken over anew. */
    private void tell(WorldChange change) {
        try {
            tenure.changed(change);
        } catch (RuntimeException e) {
            LOG.error("a change of the world could not be compared with the neighborhoods", e);
            tenure.fail(e);
        }
    }

    private void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PATIENCE.toMillis());
        } catch (InterruptedException e) {
            closing = true;
        }
    }

    /** Returns at once; the thread ends soon, and the tenure takes nothing from it any more. */
    @Override
    public void close() {
        closing = true;
    }
}
