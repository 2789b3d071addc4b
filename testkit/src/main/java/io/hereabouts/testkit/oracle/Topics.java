package io.hereabouts.testkit.oracle;

/** MQTT 5.0 §4.7, by splitting both into levels. */
final class Topics {

    private Topics() {}

    static boolean matches(String filter, String name) {
        String[] wanted = filter.split("/", -1);
        String[] levels = name.split("/", -1);
        boolean wildcardFirst = wanted[0].equals("+") || wanted[0].equals("#");
        if (wildcardFirst && levels[0].startsWith("$")) {
            return false;
        }
        for (int i = 0; i < wanted.length; i++) {
            if (wanted[i].equals("#")) {
                return true;
            }
            if (i == levels.length) {
                return false;
            }
            if (!wanted[i].equals("+") && !wanted[i].equals(levels[i])) {
                return false;
            }
        }
        return wanted.length == levels.length;
    }
}
