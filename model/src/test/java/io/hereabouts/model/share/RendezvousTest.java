package io.hereabouts.model.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RendezvousTest {

    private static final int KEYS = 20_000;
    private static final List<String> KEY = keys();

    private static List<String> keys() {
        return IntStream.range(0, KEYS).mapToObj(i -> "detector/" + i).toList();
    }

    private static List<String> members(int count) {
        return IntStream.range(0, count).mapToObj(i -> "edge-" + i).toList();
    }

    private static @Nullable String choose(List<String> members, String key, Predicate<String> preferred) {
        return Rendezvous.choose(members, Rendezvous.hash(key), Rendezvous::hash, preferred);
    }

    private static List<@Nullable String> chosen(List<String> members) {
        return KEY.stream().map(key -> choose(members, key, m -> true)).collect(Collectors.toList());
    }

    @Test
    void shouldGiveEachMemberAboutAsMuch() {
        for (int count : new int[] {2, 3, 5, 8}) {
            List<@Nullable String> chosen = chosen(members(count));
            double even = (double) KEYS / count;
            for (String member : members(count)) {
                assertThat((double) Collections.frequency(chosen, member))
                        .as("%s of %d", member, count)
                        .isCloseTo(even, within(even / 10));
            }
        }
    }

    @Test
    void shouldMoveOnlyWhatTheLeaverHad() {
        List<String> five = members(5);
        List<@Nullable String> before = chosen(five);
        List<String> four = new ArrayList<>(five);
        four.remove("edge-2");
        List<@Nullable String> after = chosen(four);
        for (int i = 0; i < KEYS; i++) {
            if ("edge-2".equals(before.get(i))) {
                assertThat(after.get(i)).isNotEqualTo("edge-2");
            } else {
                assertThat(after.get(i)).isEqualTo(before.get(i));
            }
        }
        assertThat(chosen(five)).as("who comes back has again what it had").isEqualTo(before);
    }

    @Test
    void shouldNotDependOnTheOrderOfMembers() {
        List<String> members = new ArrayList<>(members(7));
        List<@Nullable String> before = chosen(members);
        Collections.shuffle(members, new Random(7));
        assertThat(chosen(members)).isEqualTo(before);
    }

    @Test
    void shouldChooseAmongThePreferredAsIfThereWereNoOthers() {
        List<String> members = members(6);
        List<String> some = List.of("edge-1", "edge-4");
        for (String key : KEY.subList(0, 500)) {
            assertThat(choose(members, key, some::contains)).isEqualTo(choose(some, key, m -> true));
            assertThat(choose(members, key, m -> false))
                    .as("all are as good where none is preferred")
                    .isEqualTo(choose(members, key, m -> true));
        }
        assertThat(choose(List.of(), "a", m -> true)).isNull();
    }

    @Test
    void shouldChooseInTwoStepsIndependently() {
        List<String> edges = members(2);
        List<String> clients = List.of("c1", "c2");
        List<String> atFirst = KEY.stream()
                .filter(key -> "edge-0".equals(choose(edges, key, m -> true)))
                .toList();
        long first = atFirst.stream()
                .filter(key -> "c1".equals(choose(clients, key, m -> true)))
                .count();
        assertThat((double) first)
                .as("an edge's clients share what is left of the choice of edges")
                .isCloseTo(atFirst.size() / 2.0, within(atFirst.size() / 20.0));
    }
}
