package io.hereabouts.perf.mqtt;

import java.security.SecureRandom;

/** Numbers that tell one measurement's entities, topics and messages from all others'. */
final class RunIds {

    private RunIds() {}

    static long fresh() {
        return new SecureRandom().nextLong();
    }
}
