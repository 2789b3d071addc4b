package io.hereabouts.model.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.ShareName;
import io.hereabouts.model.topic.TopicFilter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FilterIndexTest {

    private static final NeighborhoodId CENTRE = NeighborhoodId.ofCanonical("centre");

    private final Matches matches = new Matches();

    @Test
    void shouldGiveAGroupsSilentEdgesNothingWhereAnotherLives() {
        Set<EdgeId> living = new HashSet<>(Set.of(EdgeId.of("e1"), EdgeId.of("e2")));
        FilterIndex index = new FilterIndex(10, 0, living::contains);
        List<byte[]> entities =
                IntStream.range(0, 200).mapToObj(i -> utf8("entity-" + i)).toList();
        index.applySlice(CENTRE, 1, 1, entities);
        index.applyInterest(shared("e1"), 1, 2);
        index.applyInterest(shared("e2"), 1, 3);
        assertThat(chosen(index, entities)).contains("e1", "e2");

        living.remove(EdgeId.of("e1"));
        assertThat(chosen(index, entities)).containsOnly("e2");
        living.clear();
        assertThat(chosen(index, entities)).as("they wait for one of them").contains("e1", "e2");

        index.removeInterest(shared("e2"), 1, 3);
        assertThat(chosen(index, entities)).containsOnly("e1");
        index.removeInterest(shared("e1"), 1, 2);
        assertThat(chosen(index, entities)).containsOnly("");
        assertThat(index.interests()).isZero();
    }

    @Test
    void shouldHandOnToAnotherEdgeAndBackOnlyIfThereIsNone() {
        FilterIndex index = new FilterIndex(10, 0);
        index.applyInterest(shared("e1"), 1, 2);
        assertThat(handedOn(index, "e1")).isEqualTo("e1");
        index.applyInterest(shared("e2"), 1, 3);
        assertThat(handedOn(index, "e1")).isEqualTo("e2");
        assertThat(handedOn(index, "e2")).isEqualTo("e1");
        assertThat(handedOn(index, "e3")).isIn("e1", "e2");
        index.removeInterest(shared("e1"), 1, 2);
        index.removeInterest(shared("e2"), 1, 3);
        assertThat(handedOn(index, "e1")).isEmpty();
    }

    @Test
    void shouldHandOnToAnEdgeThatLivesEvenIfThatIsTheOneThatTried() {
        Set<EdgeId> living = new HashSet<>(Set.of(EdgeId.of("e1"), EdgeId.of("e3")));
        FilterIndex index = new FilterIndex(10, 0, living::contains);
        index.applyInterest(shared("e1"), 1, 2);
        index.applyInterest(shared("e2"), 1, 3);
        assertThat(handedOn(index, "e1")).as("e2 does not live").isEqualTo("e1");
        index.applyInterest(shared("e3"), 1, 4);
        assertThat(handedOn(index, "e1")).isEqualTo("e3");
        living.clear();
        assertThat(handedOn(index, "e1")).isIn("e2", "e3");
    }

    @Test
    void shouldComeToEachEdgeWhenWhatIsHandedOnIsHandedOnAgain() {
        FilterIndex index = new FilterIndex(10, 0);
        List.of("e1", "e2", "e3").forEach(edge -> index.applyInterest(shared(edge), 1, 2));
        for (int entity = 0; entity < 100; entity++) {
            Set<String> had = new HashSet<>(Set.of("e1"));
            String at = "e1";
            for (int times = 1; times <= 16; times++) {
                index.lookupOther(utf8("entity-" + entity), shared(at), times, matches);
                at = only();
                had.add(at);
            }
            assertThat(had).as("entity-" + entity).containsExactlyInAnyOrder("e1", "e2", "e3");
        }
    }

    private static Interest shared(String edge) {
        return new Interest(CENTRE, TopicFilter.parse("a/#"), new ShareName("g"), EdgeId.of(edge));
    }

    private String handedOn(FilterIndex index, String by) {
        index.lookupOther(utf8("entity-1"), shared(by), 1, matches);
        return only();
    }

    private List<String> chosen(FilterIndex index, List<byte[]> entities) {
        byte[] topic = utf8("a/b");
        return entities.stream()
                .map(entity -> {
                    index.lookup(entity, topic, 0, topic.length, matches);
                    return only();
                })
                .toList();
    }

    private String only() {
        assertThat(matches.edges()).isLessThanOrEqualTo(1);
        return matches.edges() == 0 ? "" : matches.edge(0).value();
    }

    @ParameterizedTest
    @CsvSource({"1, 75", "10, 12", "100, 6"})
    void shouldTakeFewBytesAPair(int fanOut, double most) {
        int pairs = 400_000;
        int neighborhoods = 400;
        long before = usedHeap();
        FilterIndex index = new FilterIndex(1_000, 1 << 20);
        Random random = new Random(7);
        List<List<byte[]>> slices = new ArrayList<>();
        for (int n = 0; n < neighborhoods; n++) {
            slices.add(new ArrayList<>());
        }
        for (int entity = 0; entity < pairs / fanOut; entity++) {
            byte[] id = utf8("berlin/detector/%08d".formatted(entity));
            int first = random.nextInt(neighborhoods);
            // from one less than half of the mean to one more than half as much again
            int in = fanOut == 1 ? 1 : fanOut / 2 + random.nextInt(fanOut + 1);
            for (int i = 0; i < in; i++) {
                slices.get((first + i * 7) % neighborhoods).add(id);
            }
        }
        for (int n = 0; n < neighborhoods; n++) {
            index.applySlice(NeighborhoodId.ofCanonical("n" + n), 1, 1, slices.get(n));
        }
        slices.clear();
        long heap = usedHeap() - before;
        double bytes = (double) heap / index.pairs();
        System.out.printf(
                "FilterIndexTest: fan-out %d: %.1f bytes a pair, heapBytes() says %.1f%n",
                fanOut, bytes, (double) index.heapBytes() / index.pairs());
        assertThat((double) index.pairs()).isCloseTo(pairs, withinPercentage(2));
        assertThat(bytes).isLessThanOrEqualTo(most);
        assertThat((double) index.heapBytes()).isCloseTo((double) heap, withinPercentage(20));
    }

    @Test
    void shouldKeepAMillionTopicNamesAndTenThousandTopicFiltersWithinItsHeap() {
        long bound = 32 << 20;
        int filters = 10_000;
        int entities = 100;
        int names = 1_000_000;
        long before = usedHeap();
        FilterIndex index = new FilterIndex(10, bound);
        for (int f = 0; f < filters; f++) {
            NeighborhoodId zone = NeighborhoodId.ofCanonical("zone " + f % entities);
            index.applySlice(zone, 1, 1, List.of(utf8("car-" + f % entities)));
            index.applyInterest(interest(zone, "t/" + f + "/#"), 1, 1);
        }
        long matched = 0;
        for (int n = 0; n < names; n++) {
            // every filter is asked about in turn, and one lookup in a hundred is of a name that its candidates match
            matched += lookup(index, "car-" + n / 100 % entities, "t/" + n % filters + "/" + n) ? 1 : 0;
        }
        long heap = usedHeap() - before;
        System.out.printf("FilterIndexTest: 10^6 topic names, 10^4 topic filters: %,d bytes of heap%n", heap);
        assertThat(matched).isEqualTo(names / entities);
        assertThat(heap).isLessThan(bound + 12_000_000);
        assertThat(index.interests()).isEqualTo(filters);
    }

    private static long usedHeap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @Test
    void shouldGiveBackWhatIsNoLongerNeeded() {
        FilterIndex index = new FilterIndex(10, 1 << 20);
        for (int version = 1; version <= 300; version++) {
            List<byte[]> ids = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                ids.add(utf8("round-" + version + "-entity-" + i));
            }
            index.applySlice(CENTRE, 1, version, ids);
        }
        assertThat(index.entities()).isEqualTo(1_000);
        assertThat(index.heapBytes()).isLessThan(400_000);
        index.removeSlice(CENTRE, 1, 301);
        assertThat(index.entities()).isZero();
        assertThat(index.pairs()).isZero();
    }

    @Test
    void shouldKeepItsCacheOfTopicNamesWithinBounds() {
        long bound = 100_000;
        FilterIndex index = new FilterIndex(10, bound);
        index.applySlice(CENTRE, 1, 1, List.of(utf8("car")));
        long empty = index.heapBytes();
        for (int i = 0; i < 200; i++) {
            index.applyInterest(interest(CENTRE, "t/" + i), 1, 2);
        }
        for (int i = 0; i < 20_000; i++) {
            assertThat(lookup(index, "car", "t/" + i)).isEqualTo(i < 200);
        }
        assertThat(index.heapBytes() - empty).isLessThan(bound + 60_000);
        assertThat(lookup(index, "car", "t/7")).isTrue();
    }

    @Test
    void shouldAnswerRightWhenTopicFiltersComeAndGoByTheThousand() {
        FilterIndex index = new FilterIndex(10, 1 << 20);
        index.applySlice(CENTRE, 1, 1, List.of(utf8("car")));
        index.applyInterest(interest(CENTRE, "stays/+"), 1, 1);
        for (int i = 0; i < 5_000; i++) {
            index.applyInterest(interest(CENTRE, "t/" + i), 1, 2);
            assertThat(lookup(index, "car", "t/" + i)).isTrue();
            index.removeInterest(interest(CENTRE, "t/" + i), 1, 3);
            assertThat(lookup(index, "car", "t/" + i)).isFalse();
            assertThat(lookup(index, "car", "stays/here")).isTrue();
        }
        assertThat(index.interests()).isEqualTo(1);
    }

    @Test
    void shouldForgetTheOldestRemovalFirst() {
        FilterIndex index = new FilterIndex(2, 1 << 20);
        for (String filter : List.of("a", "b", "c")) {
            index.removeInterest(interest(CENTRE, filter), 5, 5);
        }
        assertThat(index.applyInterest(interest(CENTRE, "b"), 5, 4)).isFalse();
        assertThat(index.applyInterest(interest(CENTRE, "c"), 5, 5)).isFalse();
        assertThat(index.applyInterest(interest(CENTRE, "a"), 5, 4))
                .as("its removal was forgotten")
                .isTrue();
        assertThat(index.applyInterest(interest(CENTRE, "c"), 6, 0))
                .as("a later epoch")
                .isTrue();
    }

    @Test
    void shouldRefuseWhatCannotBeAnEntityAndChangeNothing() {
        FilterIndex index = new FilterIndex(2, 1 << 20);
        assertThatThrownBy(() -> index.applySlice(CENTRE, 1, 1, List.of(utf8("good"), new byte[257])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("257");
        assertThatThrownBy(() -> index.applySlice(NeighborhoodId.EVERYWHERE, 1, 1, List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(index.entities()).isZero();
    }

    private boolean lookup(FilterIndex index, String entity, String topic) {
        byte[] name = utf8(topic);
        index.lookup(utf8(entity), name, 0, name.length, matches);
        return matches.edges() > 0;
    }

    private static Interest interest(NeighborhoodId neighborhood, String filter) {
        return new Interest(neighborhood, TopicFilter.parse(filter), EdgeId.of("e1"));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
