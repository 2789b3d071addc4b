package io.hereabouts.bridge.access;

import io.hereabouts.model.topic.TopicFilter;

/** Whether all that one topic filter matches is matched by another, decided level by level. No state. */
final class Coverage {

    private Coverage() {}

    /** True if {@code granted} surely matches whatever {@code asked} matches. */
    static boolean covers(TopicFilter granted, TopicFilter asked) {
        String[] want = asked.value().split("/", -1);
        String[] have = granted.value().split("/", -1);
        if (want[0].startsWith("$") && (have[0].equals("#") || have[0].equals("+"))) {
            return false;
        }
        for (int i = 0; i < have.length; i++) {
            if (have[i].equals("#")) {
                return true;
            }
            // "a/#" asks for "a" as well, so it is not within "a/+"
            if (i >= want.length || want[i].equals("#")) {
                return false;
            }
            if (!have[i].equals("+") && !have[i].equals(want[i])) {
                return false;
            }
        }
        return want.length == have.length;
    }
}
