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

    @Test
    void shouldForgetWhoHadADropLongAgoFirst() {
        drops.dropped("early", new Drop("expired", 1, 0));
        drops.dropped("often", new Drop("expired", 1, 1));
        for (int n = 0; n < 9_998; n++) {
            drops.dropped("client-" + n, new Drop("expired", 1, 2));
        }
        drops.dropped("often", new Drop("expired", 1, 3));

        drops.dropped("one more", new Drop("expired", 1, 4));

        assertThat(drops.of("early")).isEmpty();
        assertThat(drops.of("often")).isPresent();
        assertThat(drops.of("client-0")).isPresent();
    }
}
