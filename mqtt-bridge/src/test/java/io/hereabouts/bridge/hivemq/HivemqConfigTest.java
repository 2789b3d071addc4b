package io.hereabouts.bridge.hivemq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HivemqConfigTest {

    private static final int QUEUE_LIMIT = 2_000;
    private static final int RECEIVE_MAXIMUM = 1_000;

    @TempDir
    Path folder;

    @Test
    void shouldFindNothingWrongWithWhatAnEdgeNeeds() throws IOException {
        HivemqConfig config = config(
                """
                <persistence><mode>in-memory</mode></persistence>
                <mqtt>
                  <receive-maximum><server-receive-maximum>1000</server-receive-maximum></receive-maximum>
                  <queued-messages><max-queue-size>${ENV:QUEUE}</max-queue-size></queued-messages>
                </mqtt>""");

        assertThat(config.problems(QUEUE_LIMIT)).isEmpty();
        assertThat(config.warnings(RECEIVE_MAXIMUM)).isEmpty();
        assertThat(config.keepsSessions()).isFalse();
    }

    @Test
    void shouldMeasureHivemqsDefaults() throws IOException {
        HivemqConfig config = config("<listeners/>");

        assertThat(config.problems(QUEUE_LIMIT)).singleElement().satisfies(line -> assertThat(line)
                .contains("max-queue-size is '1000', expected at least 2000"));
        assertThat(config.keepsSessions()).isTrue();
        assertThat(config.warnings(RECEIVE_MAXIMUM)).singleElement().satisfies(line -> assertThat(line)
                .contains("server-receive-maximum is '10', expected 1000"));
    }

    @Test
    void shouldNameWhatItCannotLiveWith() throws IOException {
        HivemqConfig config = config(
                """
                <persistence><mode>in-memory</mode></persistence>
                <mqtt><queued-messages>
                  <max-queue-size>${MISSING}</max-queue-size><strategy>discard-oldest</strategy>
                </queued-messages></mqtt>""");

        assertThat(config.problems(QUEUE_LIMIT))
                .hasSize(2)
                .anySatisfy(line -> assertThat(line).contains("max-queue-size is '${MISSING}', expected a number"))
                .anySatisfy(line -> assertThat(line).contains("strategy is 'discard-oldest', expected 'discard'"));
    }

    @Test
    void shouldRefuseAFileThatIsNotThereOrNotXml() throws IOException {
        Path missing = folder.resolve("none.xml");
        assertThatThrownBy(() -> HivemqConfig.read(missing, name -> null))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("none.xml");
        Path bad = Files.writeString(folder.resolve("bad.xml"), "<!DOCTYPE a SYSTEM 'b'><a/>");
        assertThatThrownBy(() -> HivemqConfig.read(bad, name -> null))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("DOCTYPE");
    }

    private HivemqConfig config(String body) throws IOException {
        Path file =
                Files.writeString(folder.resolve("config.xml"), "<?xml version=\"1.0\"?><hivemq>" + body + "</hivemq>");
        return HivemqConfig.read(file, Map.of("QUEUE", "2000")::get);
    }
}
