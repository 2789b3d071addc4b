package io.hereabouts.schemas.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.SubscribedFilter;
import io.hereabouts.model.topic.TopicFilter;
import io.hereabouts.schemas.record.UndecodableException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeysTest {

    private static final NeighborhoodId SOME = NeighborhoodId.ofCanonical("x");

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "|", "||", "a|b/+/|c", "|/#", "#", "I|x", "*|a|e", "ü|😀", "!probe"})
    void shouldGiveBackInterestsWhateverTheTopicFilter(String filter) throws Exception {
        for (NeighborhoodId neighborhood : new NeighborhoodId[] {SOME, NeighborhoodId.EVERYWHERE}) {
            Interest interest = new Interest(neighborhood, TopicFilter.parse(filter), EdgeId.of("edge-1.a_B"));
            assertThat(Keys.parseInterest(Keys.interest(interest))).isEqualTo(interest);
            byte[] inFilters = Keys.filterInterest(interest);
            assertThat(Keys.parseFilterInterest(inFilters)).isEqualTo(interest);
            assertThat(Keys.isFilterInterest(inFilters)).isTrue();
            assertThat(Keys.isSlice(inFilters)).isFalse();
            assertThat(Keys.isOwner(inFilters)).isFalse();
            assertThat(Keys.isProbe(inFilters)).isFalse();
        }
    }

    @Test
    void shouldNeverGiveOneKeyToTwoInterests() throws Exception {
        SplittableRandom random = new SplittableRandom(21);
        Set<Interest> interests = new HashSet<>();
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < 8_000; i++) {
            StringBuilder filter = new StringBuilder();
            for (int n = random.nextInt(1, 6); n > 0; n--) {
                filter.append("|a/*e".charAt(random.nextInt(5)));
            }
            Interest interest = new Interest(
                    random.nextBoolean() ? SOME : NeighborhoodId.EVERYWHERE,
                    TopicFilter.parse(filter.toString()),
                    EdgeId.of(random.nextBoolean() ? "e" : "a"));
            assertThat(Keys.parseInterest(Keys.interest(interest))).isEqualTo(interest);
            interests.add(interest);
            keys.add(new String(Keys.interest(interest), StandardCharsets.UTF_8));
        }
        assertThat(keys).hasSameSizeAs(interests);
    }

    @ParameterizedTest
    @ValueSource(strings = {"$share/g/a/b", "$share/a|b/|/#", "$share/$share/$share/x/y"})
    void shouldGiveBackWhatIsShared(String filter) throws Exception {
        SubscribedFilter shared = SubscribedFilter.parse(filter);
        Interest interest = new Interest(SOME, shared.topicFilter(), shared.share(), EdgeId.of("e"));
        assertThat(Keys.interest(interest)).asString(StandardCharsets.UTF_8).isEqualTo(SOME + "|" + filter + "|e");
        assertThat(Keys.parseInterest(Keys.interest(interest))).isEqualTo(interest);
        assertThat(Keys.parseFilterInterest(Keys.filterInterest(interest))).isEqualTo(interest);

        HandedOn handedOn = new HandedOn(interest, 3);
        Headers headers = new RecordHeaders().add(HandedOn.HEADER, handedOn.bytes());
        assertThat(HandedOn.in(headers)).contains(handedOn);
        assertThat(HandedOn.timesIn(headers)).isEqualTo(3);
        assertThat(HandedOn.timesIn(new RecordHeaders())).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"*|$share/g/a|e", "|$share//a|e", "|$share/g|e", "|a|e"})
    void shouldRefuseGroupsThatAreNone(String text) {
        byte[] key = (text.startsWith("*") ? text : SOME + text).getBytes(StandardCharsets.UTF_8);
        byte[] header = new byte[key.length + 1];
        System.arraycopy(key, 0, header, 1, key.length);
        header[0] = 1;
        Headers headers = new RecordHeaders().add(HandedOn.HEADER, header);
        assertThatThrownBy(() -> HandedOn.in(headers)).isInstanceOf(UndecodableException.class);
    }

    @Test
    void shouldGiveBackSlices() throws Exception {
        byte[] key = Keys.slice(SOME);
        assertThat(Keys.parseSlice(key)).isEqualTo(SOME);
        assertThat(Keys.isSlice(key)).isTrue();
        assertThat(Keys.isFilterInterest(key)).isFalse();
    }

    @Test
    void shouldTellProbesAndOwners() {
        assertThat(Keys.isProbe(Keys.probe())).isTrue();
        assertThat(Keys.isProbe(null)).isFalse();
        assertThat(Keys.isOwner(Keys.owner())).isTrue();
        assertThat(Keys.isOwner(Keys.probe())).isFalse();
        Keys.owner()[0] = 'x';
        Keys.probe()[0] = 'x';
        assertThat(Keys.isOwner(Keys.owner())).isTrue();
        assertThat(Keys.isProbe(Keys.probe())).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "I",
                "I|",
                "S|",
                "a",
                "*|a",
                "*|",
                "x|a|e",
                "*||e",
                "*|a|",
                "*|a/#/b|e",
                "*|a|e/f",
                "I|*|#x|e"
            })
    void shouldRefuseWhatIsNoKey(String text) {
        byte[] key = text.getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> Keys.parseInterest(key)).isExactlyInstanceOf(UndecodableException.class);
        assertThatThrownBy(() -> Keys.parseFilterInterest(key)).isExactlyInstanceOf(UndecodableException.class);
        assertThatThrownBy(() -> Keys.parseSlice(key)).isExactlyInstanceOf(UndecodableException.class);
    }

    @Test
    void shouldAnswerGarbageWithNothingButUndecodable() {
        SplittableRandom random = new SplittableRandom(22);
        for (int i = 0; i < 15_000; i++) {
            byte[] key = new byte[random.nextInt(30)];
            random.nextBytes(key);
            for (int n = random.nextInt(4); n > 0 && key.length > 0; n--) {
                key[random.nextInt(key.length)] = '|';
            }
            for (Parse parse : new Parse[] {Keys::parseInterest, Keys::parseFilterInterest, Keys::parseSlice}) {
                try {
                    parse.of(key);
                } catch (UndecodableException e) {
                    assertThat(e.getMessage()).isNotBlank();
                }
            }
        }
    }

    @Test
    void shouldNotReadBytesThatAreNoUtf8AsSomethingElse() {
        byte[] key = "*|a?|e".getBytes(StandardCharsets.UTF_8);
        key[3] = (byte) 0xff;
        assertThatThrownBy(() -> Keys.parseInterest(key)).isExactlyInstanceOf(UndecodableException.class);
    }

    @Test
    void shouldKeepThePartsOfASubscriptionApart() {
        EdgeId edge = EdgeId.of("e");
        assertThat(Keys.subscription(edge, "c", "a/b", "n")).isEqualTo("e\0c\0a/b\0n".getBytes(StandardCharsets.UTF_8));
        assertThat(Keys.subscription(edge, "c", "a", "b|c")).isNotEqualTo(Keys.subscription(edge, "c", "a|b", "c"));
    }

    /** A will never replaces that of another connection. */
    @Test
    void shouldGiveEachConnectionAWillOfItsOwn() {
        EdgeId edge = EdgeId.of("e");
        assertThat(Keys.will(edge, "c", "run", 7)).isEqualTo(("e\0c\0run\0" + 7).getBytes(StandardCharsets.UTF_8));
        assertThat(Keys.will(edge, "c", "run", 8)).isNotEqualTo(Keys.will(edge, "c", "run", 7));
    }

    private interface Parse {
        Object of(byte[] key) throws UndecodableException;
    }

    /** Whoever reads it would need as deep a tree. */
    @Test
    void shouldNotReadAnInterestOfTooManyLevels() {
        byte[] key =
                "I|*|a".concat("/a".repeat(TopicFilter.MAX_LEVELS)).concat("|e").getBytes(StandardCharsets.UTF_8);

        assertThatThrownBy(() -> Keys.parseFilterInterest(key))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("901 levels, the limit is 900");
    }
}
