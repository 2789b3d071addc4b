package io.hereabouts.resolver.kafka;

import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Follows a topic on a thread of its own, from where its reader stands. Closing waits until no record is handed over. */
final class Tail implements AutoCloseable {

    private final WholeTopic topic;
    private volatile boolean closing;
    private final Object started = new Object();
    private Thread thread = new Thread();

    Tail(WholeTopic topic) {
        this.topic = topic;
    }

    /**
     * Starts to follow.
     *
     * @param failed called if the topic cannot be read or a record not be worked on; nothing follows then
     */
    void follow(Consumer<ConsumerRecord<byte[], byte[]>> each, Consumer<Exception> failed) {
        synchronized (started) {
            thread = new Thread(
                    () -> {
                        try {
                            while (!closing) {
                                topic.next().forEach(each);
                            }
                        } catch (RuntimeException e) {
                            // of Kafka or of whoever is handed the records: a thread that ended would tell nobody
                            failed.accept(e);
                        }
                    },
                    "hereabouts-resolver-tail");
            thread.setDaemon(true);
            thread.start();
        }
    }

    @Override
    public void close() {
        closing = true;
        synchronized (started) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        topic.close();
    }
}
