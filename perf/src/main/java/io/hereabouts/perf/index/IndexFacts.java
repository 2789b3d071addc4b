package io.hereabouts.perf.index;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.hereabouts.perf.MeasurementException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What a filled contender is like; from the JVM that filled it to the one that reports.
 *
 * @param pairs exactly how many were added
 * @param fillSeconds with making the ids
 * @param heap bytes used after garbage collection, less what was used before
 * @param gauge bytes that it believes to take, or {@link IndexContender#NO_GAUGE}
 * @param outside bytes of files
 * @param checked answers that were compared with the rule of dealing
 * @param right how many of them were equal
 * @param readNanos of a read of as much memory at an address that only the read before told, see {@link MemoryProbe}
 * @param cpuNanos CPU time of a lookup in each round, those that are not counted included
 */
record IndexFacts(
        long pairs,
        double fillSeconds,
        long heap,
        long gauge,
        long outside,
        int checked,
        int right,
        double readNanos,
        List<Double> cpuNanos) {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final String FILE = "facts.json";

    IndexFacts withCpuNanos(List<Double> rounds) {
        return new IndexFacts(pairs, fillSeconds, heap, gauge, outside, checked, right, readNanos, List.copyOf(rounds));
    }

    void write(Path folder) throws IOException {
        MAPPER.writeValue(folder.resolve(FILE).toFile(), this);
    }

    static IndexFacts read(Path folder) throws MeasurementException {
        try {
            return MAPPER.readValue(folder.resolve(FILE).toFile(), IndexFacts.class);
        } catch (IOException e) {
            throw new MeasurementException("the JVM that fills an index left no facts", e);
        }
    }
}
