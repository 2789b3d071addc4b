package io.hereabouts.schemas.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.testkit.kafka.TestKafka;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopicAdminIT {

    @Test
    void shouldCreateWhatIsMissingAndReportWhatIsWrong() throws Exception {
        TopicCatalogue topics = TopicCatalogue.withPartitions(3);
        TopicCatalogue more = new TopicCatalogue("hereabouts.", 4, (short) 1, Duration.ofHours(1));
        try (TestKafka kafka = TestKafka.start();
                TopicAdmin admin = new TopicAdmin(KafkaConnection.to(kafka.bootstrapServers()), topics)) {
            assertThat(admin.check(topics.fixed()))
                    .hasSize(topics.fixed().size())
                    .allMatch(line -> line.contains("missing"));

            assertThat(admin.create(topics.fixed())).hasSize(topics.fixed().size());
            assertThat(admin.create(topics.fixed())).isEmpty();
            assertThat(admin.check(topics.fixed())).isEmpty();
            assertThat(admin.check(List.of(topics.deliveriesOf(EdgeId.of("e1")))))
                    .singleElement()
                    .asString()
                    .contains("missing");

            assertThat(admin.check(more.fixed()))
                    .contains("hereabouts.publications: has 3 partitions, expected 4: set topics.partitions=3 and run"
                            + " 'hereabouts topics grow --partitions 4'")
                    .contains("hereabouts.publications: retention.ms is 86400000, expected 3600000");
        }
    }
}
