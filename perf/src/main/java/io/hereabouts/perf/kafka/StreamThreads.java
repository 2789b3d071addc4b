package io.hereabouts.perf.kafka;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * CPU time of the stream threads of one application: not of the producers' network threads, of garbage collection or of
 * anything else in the process.
 */
final class StreamThreads {

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final long[] ids;

    private StreamThreads(String applicationId) {
        Pattern name = Pattern.compile(Pattern.quote(applicationId) + "-.*-StreamThread-\\d+");
        this.ids = Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(Objects::nonNull)
                .filter(thread -> name.matcher(thread.getThreadName()).matches())
                .mapToLong(ThreadInfo::getThreadId)
                .toArray();
    }

    /** The stream threads that run now. */
    static StreamThreads of(String applicationId) {
        StreamThreads found = new StreamThreads(applicationId);
        if (found.ids.length == 0) {
            throw new IllegalStateException("no stream thread of " + applicationId);
        }
        return found;
    }

    /** Nanoseconds since they began. */
    long cpuNanos() {
        return Arrays.stream(ids).map(threads::getThreadCpuTime).sum();
    }
}
