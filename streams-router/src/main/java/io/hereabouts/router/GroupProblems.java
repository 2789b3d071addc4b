package io.hereabouts.router;

import io.hereabouts.schemas.kafka.KafkaPing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;

/** Asks Kafka whether the router's group can go on. Thread-safe; an answer takes 2 s if Kafka gives none. */
final class GroupProblems implements AutoCloseable {

    private final Admin admin;
    private final GroupOffsets offsets;
    private final String servers;

    GroupProblems(RouterConfig config) {
        this.admin = Admin.create(KafkaPing.impatient(config.kafka(), "hereabouts-router-health"));
        this.offsets = new GroupOffsets(admin, config);
        this.servers = config.kafka().bootstrapServers();
    }

    /** A line for each thing that is wrong now. */
    List<String> now() {
        try {
            return offsets.moves().entrySet().stream()
                    .filter(move -> move.getValue().lost() > 0)
                    .map(move -> move.getKey() + ": " + move.getValue().lost()
                            + " records were deleted before they were read")
                    .sorted()
                    .toList();
        } catch (ExecutionException e) {
            return List.of("Kafka at " + servers + " does not answer: " + e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of("interrupted while asking Kafka");
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }
}
