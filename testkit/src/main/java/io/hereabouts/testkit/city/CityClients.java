package io.hereabouts.testkit.city;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.testkit.oracle.Subscribed;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;

/**
 * Clients of a city with overlapping neighborhoods around its zones, and what is published to them. Immutable.
 *
 * @param count how many, 1 to {@value #MOST}
 * @param qos the QoS that the client of this number subscribes with
 * @param weight how much there is to deliver
 */
public record CityClients(SeededCity city, int count, IntUnaryOperator qos, Weight weight) {

    /** So many clients there can be. */
    public static final int MOST = 100;

    private static final List<String> KINDS = List.of("speed", "count", "occupancy", "alarm");
    private static final int NEIGHBORHOODS_EACH = 4;
    private static final String PREFIX = "client-";

    /** How much there is to deliver. */
    public enum Weight {
        /** Ten clients: two or three copies of each publication, by forty neighborhoods and some plain topic filters. */
        FULL,
        /** Ten clients: one of three or four publications is delivered, by twenty neighborhoods. */
        LIGHT
    }

    public CityClients {
        if (count < 1 || count > MOST) {
            throw new IllegalArgumentException(count + " clients, expected 1 to " + MOST);
        }
    }

    /**
     * What they subscribe to, with the descriptor, empty for a plain topic filter. Neighborhoods of one client overlap with
     * its others and with those of the next.
     */
    public Map<Subscribed, String> subscriptions(Function<String, NeighborhoodDescriptor> parser) {
        Map<Subscribed, String> subscriptions = new LinkedHashMap<>();
        int step = weight == Weight.FULL ? 1 : 2;
        for (int c = 0; c < count; c++) {
            for (int n = step - 1; n < NEIGHBORHOODS_EACH; n += step) {
                int zone = 1 + (7 * c + 11 * n) % (city.size() * city.size());
                String descriptor = "{\"stages\":[{\"references\":[\"zone/" + zone
                        + "\"],\"categories\":[\"detector\"],\"where\":{\"relation\":\"dwithin\",\"distance\":"
                        + (700 + 40 * c + 10 * n) + "}}]}";
                String filter = n % 2 == 0 ? "traffic/#" : "traffic/+/" + KINDS.get(c % KINDS.size());
                subscriptions.put(
                        Subscribed.neighborhood(name(c), filter, "n" + n, parser.apply(descriptor), qos.applyAsInt(c)),
                        descriptor);
            }
        }
        if (weight == Weight.FULL) {
            subscriptions.put(Subscribed.plain(name(0), "traffic/north/alarm", qos.applyAsInt(0)), "");
            subscriptions.put(Subscribed.plain(name(1), "traffic/+/occupancy", qos.applyAsInt(1)), "");
        }
        return subscriptions;
    }

    /** The ids of the entities that publications are about. */
    public List<String> entities() {
        return city.entities().stream()
                .filter(e -> e.isA(Category.of("detector")))
                .map(e -> e.id().value())
                .toList();
    }

    /** Any topic name that is published to. */
    public static String topic(Random random) {
        return "traffic/" + (random.nextBoolean() ? "north" : "south") + "/" + KINDS.get(random.nextInt(KINDS.size()));
    }

    /** The client id of a client. */
    public static String name(int number) {
        return PREFIX + number;
    }

    /** The number of a client. */
    public static int number(String name) {
        return Integer.parseInt(name.substring(PREFIX.length()));
    }
}
