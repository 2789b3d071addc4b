package io.hereabouts.schemas.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.schemas.avro.Delivery;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DeliveryBytesTest {

    @Test
    void shouldBeByteForByteWhatAvroWrites() throws Exception {
        SplittableRandom random = new SplittableRandom(8);
        for (int i = 0; i < 5_000; i++) {
            int generation = Records.integer(random);
            int partition = Records.integer(random);
            long owner = Records.number(random);
            long offset = Records.number(random);
            int count = random.nextInt(6);
            long[] handles = new long[count + random.nextInt(3)];
            Arrays.setAll(handles, k -> Records.number(random));
            byte[] publication = Framing.encode(Records.publication(random));

            byte[] bytes = DeliveryBytes.encode(generation, partition, owner, offset, handles, count, publication);

            List<Long> written = Arrays.stream(handles, 0, count).boxed().toList();
            Delivery record = new Delivery(generation, partition, owner, offset, written, ByteBuffer.wrap(publication));
            assertThat(bytes).isEqualTo(Framing.encode(record));
            assertThat(Framing.decode(bytes)).isEqualTo(record);
        }
    }

    @Test
    void shouldWriteThousandsOfHandlesAndAnEmptyPublication() {
        long[] handles = new long[5_000];
        Arrays.fill(handles, Long.MIN_VALUE);
        byte[] bytes = DeliveryBytes.encode(1, 2, 3, 4, handles, handles.length, new byte[0]);
        List<Long> written = Arrays.stream(handles).boxed().toList();
        assertThat(bytes).isEqualTo(Framing.encode(new Delivery(1, 2, 3L, 4L, written, ByteBuffer.wrap(new byte[0]))));
    }
}
