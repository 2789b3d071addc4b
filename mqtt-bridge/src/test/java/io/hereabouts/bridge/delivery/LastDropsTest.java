package io.hereabouts.bridge.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.bridge.delivery.LastDrops.Drop;
import org.junit.jupiter.api.Test;

class LastDropsTest {

    private final LastDrops drops = new LastDrops();

    @Test
    void shouldKeepTheLastOfEachClient() {
        drops.dropped("a", new Drop("expired", 1, 10));
        drops.dropped("b", new Drop("offline", 0, 11));
        drops.dropped("a", new Drop("client_queue_full", 2, 12));

        assertThat(drops.of("a")).contains(new Drop("client_queue_full", 2, 12));
        assertThat(drops.of("b")).contains(new Drop("offline", 0, 11));
        assertThat(drops.of("c")).isEmpty();
    }
}
