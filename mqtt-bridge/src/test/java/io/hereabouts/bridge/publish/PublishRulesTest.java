package io.hereabouts.bridge.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.bridge.publish.PublishRules.Facts;
import io.hereabouts.bridge.publish.PublishRules.Refuse;
import io.hereabouts.bridge.publish.PublishRules.Take;
import io.hereabouts.model.entity.EntityId;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PublishRulesTest {

    private final PublishRules rules =
            new PublishRules("entity", 100, id -> !id.value().equals("unknown"));

    @Test
    void shouldTakeWhatIsInOrder() {
        assertThat(rules.decide(new Facts("a", 1, false, 100, 0, List.of("road/1"), e -> true, false)))
                .isEqualTo(new Take(EntityId.of("road/1")));
    }

    @Test
    void shouldTakeWhatFitsIntoARecord() {
        assertThat(rules.decide(new Facts("a", 1, false, 100, 1_999_900, List.of("road/1"), e -> true, false)))
                .isEqualTo(new Take(EntityId.of("road/1")));
    }

    @Test
    void shouldTakeQos2WhileKafkaIsAway() {
        assertThat(rules.decide(new Facts("a", 2, false, 1, 0, List.of("road/1"), e -> true, true)))
                .isEqualTo(new Take(EntityId.of("road/1")));
    }

    @Test
    void shouldCarryMessagesWithoutEntityUnlessTheyAreTooLargeOrKafkaIsAway() {
        assertThat(rules.carried(1, 100, 1_999_900, false)).isEmpty();
        assertThat(rules.carried(0, 1, 0, true)).isEmpty();
        assertThat(rules.carried(2, 1, 0, true)).isEmpty();
        assertThat(rules.carried(1, 1, 0, true))
                .hasValueSatisfying(refused -> assertThat(refused.code()).isEqualTo(0x97));
        assertThat(rules.carried(0, 101, 0, false)).hasValueSatisfying(refused -> {
            assertThat(refused.code()).isEqualTo(0x95);
            assertThat(refused.disconnects()).isTrue();
            assertThat(refused.text()).contains("bridge.topics");
        });
    }

    @Test
    void shouldCarryTopicsThatAFilterMatchesAndNoneOfTheBrokersOwn() {
        CarriedTopics topics = CarriedTopics.of(List.of("a/#", "+/b"));
        assertThat(List.of("a", "a/x/y", "c/b")).allMatch(topics::matches);
        assertThat(List.of("c/b/d", "$SYS/b")).noneMatch(topics::matches);
        assertThat(CarriedTopics.of(List.of("#")).matches("$SYS/x")).isFalse();
        assertThat(CarriedTopics.NONE.isEmpty()).isTrue();
        assertThatThrownBy(() -> CarriedTopics.of(List.of("a/#/b"))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CarriedTopics.of(List.of("$share/g/a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("$share/g/a");
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                Arguments.of(
                        new Facts("a", 1, false, 100, 1_999_901, List.of("e"), e -> true, false),
                        0x95,
                        true,
                        "payload, topic and properties have 2000001 bytes"),
                Arguments.of(new Facts("a", 2, false, 1, 0, List.of(""), e -> true, false), 0x83, true, "empty"),
                Arguments.of(
                        new Facts("a", 2, false, 1, 0, List.of("e"), e -> false, true), 0x87, true, "publish to a"),
                Arguments.of(
                        new Facts("a", 1, false, 1, 0, List.of("e", "f"), e -> true, false), 0x83, false, "found 2"),
                Arguments.of(new Facts("a", 1, false, 1, 0, List.of(""), e -> true, false), 0x83, false, "empty"),
                Arguments.of(
                        new Facts("a", 1, true, 1, 0, List.of("e"), e -> true, false),
                        0x97,
                        false,
                        "edge.retained-bytes"),
                Arguments.of(
                        new Facts("a", 2, true, 1, 0, List.of("e"), e -> true, false),
                        0x97,
                        true,
                        "edge.retained-bytes"),
                Arguments.of(new Facts("a", 1, false, 101, 0, List.of("e"), e -> true, false), 0x95, true, "101 bytes"),
                Arguments.of(
                        new Facts("a", 1, false, 1, 0, List.of("e"), e -> false, false), 0x87, false, "publish to a"),
                Arguments.of(
                        new Facts("a", 1, false, 1, 0, List.of("unknown"), e -> true, false), 0x83, false, "unknown"),
                Arguments.of(new Facts("a", 1, false, 1, 0, List.of("e"), e -> true, true), 0x97, false, "Kafka"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void shouldRefuseNamingWhatIsWrong(Facts facts, int code, boolean disconnects, String text) {
        Refuse refuse = (Refuse) rules.decide(facts);
        assertThat(refuse.code()).isEqualTo(code);
        assertThat(refuse.disconnects()).isEqualTo(disconnects);
        assertThat(refuse.text()).contains(text);
    }
}
