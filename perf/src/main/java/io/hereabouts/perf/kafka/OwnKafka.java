package io.hereabouts.perf.kafka;

import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.Progress;
import io.hereabouts.perf.process.ChildProcess;
import io.hereabouts.perf.process.WorkFolder;
import io.hereabouts.schemas.kafka.KafkaConnection;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/** A Kafka in a process of its own, for one measurement. */
final class OwnKafka {

    private OwnKafka() {}

    /** A measurement. */
    @FunctionalInterface
    interface Measuring {
        void on(KafkaConnection kafka)
                throws MeasurementException, InterruptedException, ExecutionException, TimeoutException;
    }

    /**
     * Starts Kafka, measures, stops it.
     *
     * @throws MeasurementException if something did not start, or Kafka failed
     */
    static void run(String name, Progress progress, Measuring measuring)
            throws MeasurementException, InterruptedException {
        progress.line("starting Kafka");
        try (WorkFolder folder = WorkFolder.create();
                ChildProcess broker = ChildProcess.kafka(folder.path())) {
            measuring.on(KafkaConnection.to(broker.address()));
        } catch (InterruptException e) {
            // Kafka's clients leave the thread interrupted
            var unused = Thread.interrupted();
            throw new InterruptedException("interrupted while measuring " + name);
        } catch (KafkaException | IllegalStateException | TimeoutException e) {
            throw new MeasurementException(name, e);
        } catch (ExecutionException e) {
            throw new MeasurementException("Kafka refused", e.getCause() == null ? e : e.getCause());
        }
    }
}
