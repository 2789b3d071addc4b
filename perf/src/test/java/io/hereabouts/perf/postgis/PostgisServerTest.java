package io.hereabouts.perf.postgis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PostgisServerTest {

    @Test
    void shouldKeepOptionsAndTakeOutWhoConnects() {
        PostgisServer server =
                PostgisServer.of("jdbc:postgresql://db.example:5433/city?sslmode=require&user=me&password=a%26b");

        assertThat(server.url("other")).isEqualTo("jdbc:postgresql://db.example:5433/other?sslmode=require");
        assertThat(server.user()).isEqualTo("me");
        assertThat(server.password()).isEqualTo("a&b");
        assertThat(server.origin()).isEqualTo("db.example:5433");
        assertThat(PostgisServer.of("jdbc:postgresql://h/d").url("other")).isEqualTo("jdbc:postgresql://h/other");
    }

    @Test
    void shouldRefuseWhatIsNoUrlWithoutRepeatingAPassword() {
        assertThatThrownBy(() -> PostgisServer.of("jdbc:postgresql://h?password=secret"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--postgis is 'jdbc:postgresql://h'")
                .hasMessageNotContaining("secret");
    }
}
