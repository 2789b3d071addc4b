package io.hereabouts.resolver.kafka;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads that read for one tenure; ended together. For one thread. */
final class Readers implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Readers.class);

    private final List<AutoCloseable> readers = new ArrayList<>();

    Readers(AutoCloseable first) {
        readers.add(first);
    }

    void add(AutoCloseable reader) {
        readers.add(reader);
    }

    @Override
    public void close() {
        for (AutoCloseable reader : readers) {
            try {
                reader.close();
            } catch (Exception e) {
                LOG.warn("a reader did not close: {}", e.toString());
            }
        }
        readers.clear();
    }
}
