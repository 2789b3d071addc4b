package io.hereabouts.perf.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the whole machine has used since it started: of systems of several processes nothing is left out, clients
 * included. Nothing else should run. Linux only.
 *
 * @param cpuMillis of all processors, in steps of a clock tick (10 ms)
 * @param loopbackBytes that went from process to process, headers included
 * @see <a href="https://man7.org/linux/man-pages/man5/proc_stat.5.html">proc_stat(5)</a>
 */
public record MachineUse(long cpuMillis, long loopbackBytes) {

    private static final Path STAT = Path.of("/proc/stat");
    private static final Path NETWORK = Path.of("/proc/net/dev");
    private static final Pattern RECEIVED = Pattern.compile("(?m)^\\s*lo:\\s*(\\d+)");
    private static final int USER = 1;
    private static final int IDLE = 4;
    private static final int WAITING_FOR_DISK = 5;
    private static final int STOLEN = 8;
    private static final int MILLIS_OF_TICK = 10;

    /** Until now; empty where the system does not tell. */
    public static Optional<MachineUse> now() {
        try {
            Matcher received = RECEIVED.matcher(Files.readString(NETWORK));
            if (!received.find()) {
                return Optional.empty();
            }
            String[] fields = Files.readAllLines(STAT).get(0).split("\\s+", -1);
            long ticks = 0;
            for (int i = USER; i < STOLEN; i++) {
                if (i != IDLE && i != WAITING_FOR_DISK) {
                    ticks += Long.parseLong(fields[i]);
                }
            }
            return Optional.of(new MachineUse(ticks * MILLIS_OF_TICK, Long.parseLong(received.group(1))));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** What was used since then. */
    public MachineUse since(MachineUse before) {
        return new MachineUse(cpuMillis - before.cpuMillis, loopbackBytes - before.loopbackBytes);
    }
}
