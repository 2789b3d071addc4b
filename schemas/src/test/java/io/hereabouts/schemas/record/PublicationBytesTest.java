package io.hereabouts.schemas.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.schemas.avro.Owner;
import io.hereabouts.schemas.avro.Publication;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PublicationBytesTest {

    @Test
    void shouldFindTheTopicNameThatAvroFinds() throws Exception {
        SplittableRandom random = new SplittableRandom(12);
        for (int i = 0; i < 2_000; i++) {
            Publication publication = Records.publication(random);
            if (i % 10 == 0) {
                publication = Publication.newBuilder(publication)
                        .setTopic("é".repeat(random.nextInt(1, 32_000)))
                        .build();
            }
            byte[] bytes = Framing.encode(publication);
            long range = PublicationBytes.topicRange(bytes);
            assertThat(PublicationBytes.topic(bytes)).isEqualTo(publication.getTopic());
            assertThat((int) range).isEqualTo(publication.getTopic().getBytes(StandardCharsets.UTF_8).length);
        }
    }

    @Test
    void shouldRefuseWhatIsNoPublication() {
        assertThatThrownBy(() -> PublicationBytes.topic(Framing.encode(new Owner("x"))))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("expected a Publication");
        byte[] good = Framing.encode(Records.publication(new SplittableRandom(1)));
        for (int length = 0; length < 6; length++) {
            byte[] cut = Arrays.copyOf(good, length);
            assertThatThrownBy(() -> PublicationBytes.topic(cut)).isExactlyInstanceOf(UndecodableException.class);
        }
    }

    @Test
    void shouldAnswerGarbageWithNothingButUndecodable() {
        SplittableRandom random = new SplittableRandom(13);
        for (int i = 0; i < 50_000; i++) {
            byte[] bytes = new byte[random.nextInt(20)];
            random.nextBytes(bytes);
            if (bytes.length > 4) {
                Arrays.fill(bytes, 0, 4, (byte) 0);
                bytes[4] = SchemaIds.PUBLICATION;
            }
            try {
                long range = PublicationBytes.topicRange(bytes);
                int at = (int) (range >>> 32);
                int length = (int) range;
                assertThat(at).isBetween(6, bytes.length);
                assertThat(length).isBetween(1, bytes.length - at);
            } catch (UndecodableException e) {
                assertThat(e.getMessage()).isNotBlank();
            }
        }
    }
}
