package io.hereabouts.perf.ledger;

import io.hereabouts.perf.process.ChildProcess;
import io.hereabouts.testkit.process.Http;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What edges have counted as dropped, of all processes that there were: of one that was killed, as of the last time somebody
 * looked. Thread-safe.
 */
final class DropCounters {

    private static final Pattern DROPPED = Pattern.compile(
            "hereabouts_edge_dropped_total\\{(?=.*qos=\"(?<qos>\\d)\")(?=.*reason=\"(?<reason>\\w+)\").*}");

    private final Map<ChildProcess, Map<Drop, Long>> processes = new HashMap<>();

    /** What was dropped: why, and with which QoS. */
    record Drop(String reason, int qos) {}

    /** Looks at all edges; one that does not answer keeps what it had. */
    void look(List<Node> edges) throws InterruptedException {
        for (Node edge : edges) {
            ChildProcess process = edge.process();
            if (process != null) {
                look(process);
            }
        }
    }

    private void look(ChildProcess process) throws InterruptedException {
        Map<Drop, Long> counted = new HashMap<>();
        try {
            new Http(Integer.parseInt(process.address())).metrics().forEach((name, value) -> {
                Matcher dropped = DROPPED.matcher(name);
                if (dropped.matches()) {
                    counted.put(
                            new Drop(dropped.group("reason"), Integer.parseInt(dropped.group("qos"))),
                            value.longValue());
                }
            });
        } catch (IOException e) {
            return;
        }
        synchronized (this) {
            processes.put(process, counted);
        }
    }

    /** All that was ever counted. */
    synchronized Map<Drop, Long> sums() {
        Map<Drop, Long> sums = new HashMap<>();
        for (Map<Drop, Long> counted : new ArrayList<>(processes.values())) {
            counted.forEach((drop, count) -> sums.merge(drop, count, Long::sum));
        }
        return sums;
    }
}
