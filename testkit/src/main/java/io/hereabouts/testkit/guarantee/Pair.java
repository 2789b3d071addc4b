package io.hereabouts.testkit.guarantee;

/** One copy of one publication. */
record Pair(String publication, String client) {
    @Override
    public String toString() {
        return "publication " + publication + " for client " + client;
    }
}
