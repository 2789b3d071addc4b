package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;

/** What can happen to routers and their broker, and the end of it: afterwards all processes work again, of themselves. */
enum Fault {
    /** SIGKILL to a router; another is put in its place when its partitions have moved. */
    KILL {
        @Override
        Duration happen(KafkaProcess kafka, RouterFleet routers, int victim, Round round) throws Exception {
            Duration gone = round.recoveryFrom(() -> routers.process(victim).kill());
            Duration back = round.recoveryFrom(() -> {
                routers.replace(victim);
                routers.awaitReady();
            });
            return longer(gone, back);
        }
    },

    /** SIGSTOP, and SIGCONT when the partitions have moved. */
    STALL {
        @Override
        Duration happen(KafkaProcess kafka, RouterFleet routers, int victim, Round round) throws Exception {
            Duration gone = round.recoveryFrom(() -> routers.process(victim).stall());
            Duration back = round.recoveryFrom(() -> {
                routers.process(victim).wake();
                routers.awaitReady();
            });
            return longer(gone, back);
        }
    },

    /** A router's connections to the broker break and cannot be made, until the partitions have moved. */
    CUT {
        @Override
        Duration happen(KafkaProcess kafka, RouterFleet routers, int victim, Round round) throws Exception {
            Duration gone = round.recoveryFrom(() -> routers.line(victim).cut());
            return longer(gone, mended(routers, victim, round));
        }
    },

    /** A router's packets are lost, both ways, until the partitions have moved; then those that were under way arrive. */
    SILENCE {
        @Override
        Duration happen(KafkaProcess kafka, RouterFleet routers, int victim, Round round) throws Exception {
            Duration gone = round.recoveryFrom(() -> routers.line(victim).silence());
            return longer(gone, mended(routers, victim, round));
        }
    },

    /** SIGTERM to one router after the other, each replaced before the next. */
    ROLLING_RESTART {
        @Override
        Duration happen(KafkaProcess kafka, RouterFleet routers, int victim, Round round) throws Exception {
            return round.recoveryFrom(() -> {
                for (int i = 0; i < routers.size(); i++) {
                    int next = (victim + i) % routers.size();
                    assertThat(routers.process(next).terminate(STOP)).isEqualTo(SIGTERM_EXIT);
                    routers.replace(next);
                    routers.awaitReady();
                }
            });
        }
    },

    /** SIGKILL to the broker, which starts again with what is on its disk. */
    BROKER_KILL {
        @Override
        Duration happen(KafkaProcess kafka, RouterFleet routers, int victim, Round round) throws Exception {
            return round.recoveryFrom(() -> {
                kafka.kill();
                kafka.restart();
                routers.awaitReady();
            });
        }
    },

    /** SIGTERM to the broker, and a new start. */
    BROKER_RESTART {
        @Override
        Duration happen(KafkaProcess kafka, RouterFleet routers, int victim, Round round) throws Exception {
            return round.recoveryFrom(() -> {
                kafka.terminate();
                kafka.restart();
                routers.awaitReady();
            });
        }
    };

    private static final Duration STOP = Duration.ofSeconds(60);
    private static final int SIGTERM_EXIT = 143;

    /**
     * Does it and undoes it.
     *
     * @param victim which router, where it is one
     * @return the longest time for which something was late after the fault, or after its end
     */
    abstract Duration happen(KafkaProcess kafka, RouterFleet routers, int victim, Round round) throws Exception;

    /** Whether publishers notice it, so that some cannot know what became of their publications. */
    boolean stopsPublishers() {
        return this == BROKER_KILL || this == BROKER_RESTART;
    }

    private static Duration mended(RouterFleet routers, int victim, Round round) throws Exception {
        return round.recoveryFrom(() -> {
            routers.line(victim).mend();
            routers.awaitReady();
        });
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
