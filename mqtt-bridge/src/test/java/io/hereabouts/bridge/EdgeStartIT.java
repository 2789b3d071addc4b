package io.hereabouts.bridge;

import static io.hereabouts.bridge.EdgeStack.descriptor;
import static io.hereabouts.bridge.EdgeStack.neighborhood;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.topic.TopicFilter;
import io.hereabouts.schemas.avro.InterestRequest;
import io.hereabouts.schemas.avro.Subscription;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.record.Framing;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

/** What an edge finds when it starts, and what it leaves when it cannot. */
class EdgeStartIT {

    private static final String ZONE = descriptor("zone/1");

    @Test
    void shouldRemoveWhatAKilledRunOfItLeftAndNothingElse() throws Exception {
        try (EdgeStack stack = new EdgeStack()) {
            // An id that ends or begins as the other's does must not do.
            leave(stack, "e1");
            leave(stack, "some.e1");
            leave(stack, "e12");
            assertThat(stack.table(stack.topics.interests())).hasSize(3);
            assertThat(stack.table(stack.topics.subscriptions())).hasSize(3);

            Edge edge = stack.edge("e1");

            assertThat(edge.port()).isPositive();
            assertThat(stack.table(stack.topics.interests()).keySet())
                    .hasSize(2)
                    .allMatch(key -> key.endsWith("|some.e1") || key.endsWith("|e12"));
            assertThat(stack.table(stack.topics.subscriptions()).keySet())
                    .hasSize(2)
                    .allMatch(key -> key.startsWith("some.e1\0") || key.startsWith("e12\0"));
        }
    }

    @Test
    void shouldLeaveNoFilesWhenItsPortIsInUse() throws Exception {
        try (EdgeStack stack = new EdgeStack();
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("localhost"))) {
            int port = taken.getLocalPort();

            assertThatIllegalStateException()
                    .isThrownBy(() -> stack.edge("e", b -> b.listen("localhost", port)))
                    .withMessageContaining("HiveMQ did not start on localhost:" + port);

            assertThat(foldersOf(port)).isEmpty();
        }
    }

    private static void leave(EdgeStack stack, String edge) throws Exception {
        Interest interest = new Interest(neighborhood(ZONE), TopicFilter.parse("a/#"), EdgeId.of(edge));
        Subscription row = new Subscription(
                edge, "car", "a/#", "mine", neighborhood(ZONE).value(), ZONE, 1, false, false, 0, null);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(stack.kafka.producer("killed"))) {
            producer.send(new ProducerRecord<>(
                            stack.topics.interests(),
                            Keys.interest(interest),
                            Framing.encode(new InterestRequest(ZONE, 1L))))
                    .get();
            producer.send(new ProducerRecord<>(
                            stack.topics.subscriptions(),
                            Keys.subscription(EdgeId.of(edge), "car", "a/#", "mine"),
                            Framing.encode(row)))
                    .get();
        }
    }

    /** Temporary folders of brokers that were to listen on this port; other tests may come and go. */
    private static List<Path> foldersOf(int port) throws IOException {
        List<Path> found = new ArrayList<>();
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(temporary, "hereabouts-edge-*")) {
            for (Path folder : folders) {
                Path config = folder.resolve("conf").resolve("config.xml");
                if (Files.exists(config) && Files.readString(config).contains("<port>" + port + "</port>")) {
                    found.add(folder);
                }
            }
        }
        return found;
    }
}
