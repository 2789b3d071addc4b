package io.hereabouts.model.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Group;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.share.Rendezvous;
import io.hereabouts.model.topic.SubscribedFilter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FilterIndexOracleTest {

    private static final List<String> SHARES = List.of("s", "t");
    private static final List<String> LEVELS = List.of("a", "b", "cc", "", "Straße", "$x");

    static LongStream seeds() {
        long fresh = new Random().nextLong();
        System.out.println("FilterIndexOracleTest: random seed " + fresh);
        return LongStream.of(1, 2, 3, 20_261_129, fresh);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldAnswerAsBruteForceDoesAfterEachWrite(long seed) {
        City city = new City(new Random(seed));
        BruteForce expected = new BruteForce();
        FilterIndex index = new FilterIndex(100_000, 20_000);
        for (int i = 0; i < 4_000; i++) {
            city.randomWrite().applyTo(index, expected);
            if (i % 8 == 0) {
                city.compareSome(index, expected);
            }
        }
        city.compareAll(index, expected);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldNotDependOnOrderOrRepeats(long seed) {
        Random random = new Random(seed);
        City city = new City(random);
        List<Write> writes = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            Write write = city.randomWrite();
            writes.add(write);
            if (random.nextInt(3) == 0) {
                writes.add(write);
            }
        }
        for (int round = 0; round < 3; round++) {
            Collections.shuffle(writes, random);
            BruteForce expected = new BruteForce();
            FilterIndex index = new FilterIndex(100_000, 1 << 20);
            writes.forEach(w -> w.applyTo(index, expected));
            city.compareAll(index, expected);
        }
    }

    /** A write that two readers, the index and the oracle, take. */
    private interface Write {
        void applyTo(FilterIndex index, BruteForce expected);
    }

    private static final class City {
        private final Random random;
        private final List<String> entities = new ArrayList<>();
        private final List<String> neighborhoods = new ArrayList<>();
        private final List<String> filters = new ArrayList<>();
        private final List<String> topics = new ArrayList<>();
        private final List<String> edges = List.of("e1", "e2", "e3");
        private final Map<Long, String> byHandle = new HashMap<>();
        private final Matches matches = new Matches();
        private final Set<String> usedVersions = new HashSet<>();

        City(Random random) {
            this.random = random;
            for (int i = 0; i < 60; i++) {
                entities.add("entity-" + "x".repeat(random.nextInt(20)) + i);
            }
            for (int i = 0; i < 12; i++) {
                neighborhoods.add(NeighborhoodId.ofCanonical("n" + i).value());
            }
            neighborhoods.add("*");
            neighborhoods.forEach(n -> byHandle.put(NeighborhoodId.of(n).handle(), n));
            for (int i = 0; i < 25; i++) {
                filters.add(randomFilter());
            }
            for (String n : neighborhoods.subList(0, 12)) {
                for (String share : SHARES) {
                    for (String filter : filters) {
                        SubscribedFilter shared = SubscribedFilter.parse("$share/" + share + "/" + filter);
                        byHandle.put(new Group(NeighborhoodId.of(n), shared).handle(), n + "|" + shared.text());
                    }
                }
            }
            for (int i = 0; i < 30; i++) {
                topics.add(randomTopic());
            }
        }

        Write randomWrite() {
            String neighborhood = pick(neighborhoods);
            long epoch = random.nextInt(4);
            long version = random.nextInt(50);
            boolean removal = random.nextInt(3) == 0;
            if (random.nextBoolean() && !neighborhood.equals("*")) {
                Set<String> ids = new TreeSet<>();
                int size = random.nextInt(10) == 0 ? 0 : random.nextInt(30);
                for (int i = 0; i < size; i++) {
                    ids.add(pick(entities));
                }
                return slice(neighborhood, epoch, freeVersion(neighborhood, epoch, version), removal, ids);
            }
            String share = neighborhood.equals("*") || random.nextInt(3) > 0 ? "" : "$share/" + pick(SHARES) + "/";
            return interest(neighborhood, share + pick(filters), pick(edges), epoch, version, removal);
        }

        /** One version of a slice has one content; only a removal may repeat it. */
        private long freeVersion(String neighborhood, long epoch, long version) {
            long free = version;
            while (!usedVersions.add(neighborhood + epoch + "/" + free)) {
                free += 1 + random.nextInt(3);
            }
            return free;
        }

        private static Write slice(String n, long epoch, long version, boolean removal, Set<String> ids) {
            return (index, expected) -> {
                expected.slice(n, epoch, version, removal, ids);
                if (removal) {
                    index.removeSlice(NeighborhoodId.of(n), epoch, version);
                } else {
                    List<byte[]> repeated =
                            new ArrayList<>(ids.stream().map(City::utf8).toList());
                    ids.stream().limit(2).map(City::utf8).forEach(repeated::add);
                    index.applySlice(NeighborhoodId.of(n), epoch, version, repeated);
                }
            };
        }

        private static Write interest(String n, String filter, String edge, long epoch, long version, boolean removal) {
            SubscribedFilter parsed = SubscribedFilter.parse(filter);
            Interest interest =
                    new Interest(NeighborhoodId.of(n), parsed.topicFilter(), parsed.share(), EdgeId.of(edge));
            return (index, expected) -> {
                expected.interest(n, filter, edge, epoch, version, removal);
                if (removal) {
                    index.removeInterest(interest, epoch, version);
                } else {
                    assertThat(index.applyInterest(interest, epoch, version))
                            .isEqualTo(expected.isActive(n, filter, edge));
                }
            };
        }

        void compareSome(FilterIndex index, BruteForce expected) {
            for (int i = 0; i < 10; i++) {
                compare(index, expected, random.nextInt(20) == 0 ? "unknown" : pick(entities), pick(topics));
            }
        }

        void compareAll(FilterIndex index, BruteForce expected) {
            entities.forEach(e -> topics.forEach(t -> compare(index, expected, e, t)));
            assertThat(index.pairs()).isEqualTo(expected.pairs());
        }

        private void compare(FilterIndex index, BruteForce expected, String entity, String topic) {
            byte[] name = utf8("??" + topic + "!");
            index.lookup(utf8(entity), name, 2, name.length - 3, matches);
            Map<String, Set<String>> found = new TreeMap<>();
            Map<String, String> chosen = new TreeMap<>();
            Set<String> seen = new HashSet<>();
            for (int i = 0; i < matches.edges(); i++) {
                Set<String> of = new TreeSet<>();
                for (int h = 0; h < matches.handleCount(i); h++) {
                    String neighborhood = byHandle.get(matches.handles(i)[h]);
                    if (String.valueOf(neighborhood).contains("|")) {
                        assertThat(chosen.put(neighborhood, matches.edge(i).value()))
                                .as("one edge of each group")
                                .isNull();
                        continue;
                    }
                    assertThat(of.add(String.valueOf(neighborhood)))
                            .as("each handle once")
                            .isTrue();
                }
                assertThat(seen.add(matches.edge(i).value()))
                        .as("each edge once")
                        .isTrue();
                if (!of.isEmpty()) {
                    found.put(matches.edge(i).value(), of);
                }
            }
            compareGroups(entity, expected.groups(entity, topic), chosen);
            assertThat(found).as("%s %s", entity, topic).isEqualTo(expected.lookup(entity, topic));
        }

        private void compareGroups(String entity, Map<String, Set<String>> expected, Map<String, String> chosen) {
            assertThat(chosen).containsOnlyKeys(expected.keySet());
            expected.forEach((group, members) -> assertThat(chosen.get(group))
                    .as("%s of %s", entity, group)
                    .isEqualTo(members.stream()
                            .max(Comparator.comparing(
                                    m -> Rendezvous.weight(Rendezvous.hash(entity), Rendezvous.hash(m))))
                            .orElseThrow()));
        }

        private String randomTopic() {
            String topic = "";
            while (topic.isEmpty()) {
                List<String> levels = new ArrayList<>();
                for (int i = random.nextInt(4); i >= 0; i--) {
                    levels.add(pick(LEVELS));
                }
                topic = String.join("/", levels);
            }
            return topic;
        }

        private String randomFilter() {
            String filter = "";
            while (filter.isEmpty()) {
                List<String> levels = new ArrayList<>();
                for (int i = random.nextInt(4); i >= 0; i--) {
                    levels.add(random.nextInt(3) == 0 ? "+" : pick(LEVELS));
                }
                if (random.nextInt(3) == 0) {
                    levels.add("#");
                }
                filter = String.join("/", levels);
            }
            return filter;
        }

        private String pick(List<String> from) {
            return from.get(random.nextInt(from.size()));
        }

        private static byte[] utf8(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }
}
