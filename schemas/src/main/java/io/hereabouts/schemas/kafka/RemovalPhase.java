package io.hereabouts.schemas.kafka;

/** How far a resolver is with removing an edge whose lease was lost. */
public enum RemovalPhase {
    /** Its lease, interests and subscriptions are being removed; a process that starts with its id waits, some seconds. */
    WITHDRAWING,
    /** Resolvers and routers are still to take notice. Whoever starts now with its id ends the removal. */
    WAITING,
    /** Its Kafka topic is being deleted; a process that starts with its id waits, some seconds. */
    DELETING;

    /** True if a process must not start now. */
    public boolean isExclusive() {
        return this != WAITING;
    }
}
