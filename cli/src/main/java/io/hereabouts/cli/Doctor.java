package io.hereabouts.cli;

import io.hereabouts.launcher.Wiring;
import io.hereabouts.launcher.kafka.LatestEntity;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.replay.mqtt.Reasons;
import io.hereabouts.resolver.postgis.PostgisLook;
import io.hereabouts.schemas.kafka.KafkaPing;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue.TopicSpec;
import io.hereabouts.schemas.settings.StackSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.locationtech.jts.geom.Coordinate;

/**
 * Looks at a system from outside, from Kafka to a whole round trip, in an order in which each thing needs only those
 * before it. Changes no setting, no Kafka topic and no entity; its subscriptions end with it. For one thread, once.
 */
final class Doctor {

    private static final Duration ATTEMPT = Duration.ofSeconds(1);
    private static final Duration ROUTER_PATIENCE = Duration.ofSeconds(15);
    private static final Duration ROUND_TRIP_PATIENCE = Duration.ofSeconds(10);

    private final Wiring wiring;
    private final MqttOptions mqtt;
    private final List<Check> checks = new ArrayList<>();
    private Optional<PhysicalEntity> entity = Optional.empty();

    Doctor(Wiring wiring, MqttOptions mqtt) {
        this.wiring = wiring;
        this.mqtt = mqtt;
    }

    List<Check> examine() throws InterruptedException {
        boolean kafka = look("kafka", this::kafka);
        boolean topics = look("topics", kafka, "Kafka", this::topics);
        if (wiring.settings().world().kind() == StackSettings.Kind.POSTGIS) {
            look("postgis", this::postgis);
        } else if (kafka) {
            look("world", topics, "topics", this::world);
        }
        boolean edge = look("edge", this::edge);
        boolean resolver = look("resolver", kafka && edge, kafka ? "edge" : "Kafka", this::resolver);
        boolean router = look("router", resolver, "resolver", this::router);
        if (router && entity.isEmpty()) {
            checks.add(Check.skipped("round trip", "the world is empty: see 'hereabouts world import --help'"));
        } else {
            look("round trip", router, "router", this::roundTrip);
        }
        return checks;
    }

    private boolean look(String name, Check.Look look) throws InterruptedException {
        Check check = Check.of(name, look);
        checks.add(check);
        return check.isOk();
    }

    private boolean look(String name, boolean possible, String first, Check.Look look) throws InterruptedException {
        if (possible) {
            return look(name, look);
        }
        checks.add(Check.skipped(name, "see to the " + first + " first"));
        return false;
    }

    private String kafka() throws FailedException {
        try (KafkaPing ping = new KafkaPing(wiring.kafka(), "hereabouts-doctor")) {
            List<String> problems = ping.problems();
            if (!problems.isEmpty()) {
                throw new FailedException(problems.get(0) + "; is it running, and is --kafka right?");
            }
            return wiring.kafka().bootstrapServers() + " answers";
        }
    }

    private String topics() throws Exception {
        try (TopicAdmin admin = new TopicAdmin(wiring.kafka(), wiring.topics())) {
            List<TopicSpec> fixed = admin.asGrown().fixed();
            List<String> problems = admin.check(fixed);
            if (!problems.isEmpty()) {
                throw new FailedException(String.join("; ", problems));
            }
            return fixed.size() + " as they should be";
        }
    }

    private String world() {
        entity = LatestEntity.find(wiring.kafka(), wiring.topics());
        return entity.map(found -> "in memory, has for example " + found.id()).orElse("in memory, empty");
    }

    private String postgis() throws Exception {
        PostgisLook look = PostgisLook.at(wiring.postgis());
        if (look.pending() > 0) {
            throw new FailedException(
                    look.pending() + " migrations are to be made: start a resolver, or run 'hereabouts world list'");
        }
        entity = look.entity();
        return wiring.postgis()
                + entity.map(found -> " has for example " + found.id()).orElse(" is empty");
    }

    private String edge() throws Exception {
        try {
            DoctorClient.connect(mqtt).close();
            return mqtt.host + ":" + mqtt.port + " accepts clients";
        } catch (Exception e) {
            throw new FailedException("cannot connect to " + mqtt.host + ":" + mqtt.port + ": " + Reasons.of(e)
                    + "; start 'hereabouts edge', or name another with -h and -p");
        }
    }

    /** Nothing is at this place, so no router has a part in the answer; and nobody asked for it before, so it is no old one. */
    private String resolver() throws Exception {
        String place = String.format(
                Locale.ROOT, "POINT (%.9f -89.5)", ThreadLocalRandom.current().nextDouble(180));
        try (DoctorClient client = DoctorClient.connect(mqtt)) {
            long begin = System.nanoTime();
            client.subscribe(DoctorClient.topic(), descriptor(place, "hereabouts-doctor"));
            return "resolves a neighborhood in " + millis(begin) + " ms";
        } catch (Exception e) {
            throw new FailedException(Reasons.of(e) + "; look at the log of 'hereabouts resolver'");
        }
    }

    /** The SUBACK of a plain subscription does not wait for the router, so the first attempts may be in vain. */
    private String router() throws Exception {
        String topic = DoctorClient.topic();
        String about = entity.map(found -> found.id().value()).orElse("doctor/" + UUID.randomUUID());
        try (DoctorClient client = DoctorClient.connect(mqtt)) {
            client.subscribe(topic);
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < ROUTER_PATIENCE.toNanos()) {
                if (client.roundTrip(topic, about, ATTEMPT)) {
                    return "delivers to a plain subscriber";
                }
            }
        }
        throw new FailedException("a publication with an entity did not come back within " + ROUTER_PATIENCE.toSeconds()
                + " s; look at the log of 'hereabouts router'");
    }

    private String roundTrip() throws Exception {
        PhysicalEntity about = entity.orElseThrow();
        Coordinate place = about.geometry().getCoordinate();
        String topic = DoctorClient.topic();
        try (DoctorClient client = DoctorClient.connect(mqtt)) {
            long begin = System.nanoTime();
            client.subscribe(
                    topic,
                    descriptor(
                            "POINT (" + place.getX() + " " + place.getY() + ")",
                            about.categories().iterator().next().path()));
            String subscribed = millis(begin);
            long published = System.nanoTime();
            if (!client.roundTrip(topic, about.id().value(), ROUND_TRIP_PATIENCE)) {
                throw new FailedException(
                        "a publication about " + about.id() + " did not reach its neighborhood within "
                                + ROUND_TRIP_PATIENCE.toSeconds() + " s; look at hereabouts_router_dropped_total and"
                                + " hereabouts_edge_dropped_total");
            }
            return "SUBACK after " + subscribed + " ms, publication back after " + millis(published) + " ms";
        }
    }

    private static String descriptor(String wkt, String category) {
        return "{\"stages\":[{\"references\":[{\"wkt\":\"" + wkt + "\"}],\"categories\":[\"" + category
                + "\"],\"where\":{\"relation\":\"dwithin\",\"distance\":1}}]}";
    }

    private static String millis(long begin) {
        return String.format(Locale.ROOT, "%.1f", (System.nanoTime() - begin) / 1e6);
    }
}
