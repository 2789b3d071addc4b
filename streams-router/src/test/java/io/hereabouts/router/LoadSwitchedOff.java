package io.hereabouts.router;

import org.apache.kafka.common.errors.TimeoutException;

/** The control: takes the partition over, but begins with an empty index and only follows the live records. */
final class LoadSwitchedOff implements FilterLoader {

    private final FilterLoader kafka;

    LoadSwitchedOff(FilterLoader kafka) {
        this.kafka = kafka;
    }

    @Override
    public long load(int partition, String owner, RecordSink sink) throws TimeoutException {
        return kafka.load(partition, owner, (key, value, headers) -> {});
    }
}
