package io.hereabouts.perf.mqtt;

import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.hereabouts.perf.Measurement;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.Progress;
import io.hereabouts.perf.Result;
import io.hereabouts.perf.Target;
import io.hereabouts.replay.mqtt.MqttAddress;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;

/**
 * How long a SUBSCRIBE takes until its SUBACK. Each neighborhood is subscribed three times: by a client of a second edge,
 * when nobody knows it yet; by a client of the first edge, when it is known elsewhere; by another client of the first
 * edge. Beside them goes a subscription without neighborhood. After each of these a publication must reach all three:
 * the SUBACK said so.
 */
public final class SubscribeBenchmark implements AutoCloseable {

    private static final double MOST_MILLIS = 10;
    private static final int QOS = 1;
    private static final long ARRIVAL_SECONDS = 10;

    /** Who subscribes, in this order. */
    private enum Kind {
        NEW("new"),
        KNOWN_ELSEWHERE("known on another edge"),
        KNOWN_HERE("known on the same edge"),
        PLAIN("plain");

        final String label;

        Kind(String label) {
            this.label = label;
        }
    }

    private final SubscribeParameters parameters;
    private final Progress progress;
    private final TinyWorld world;
    private final String prefix;
    private final Random random;
    private final Map<Kind, MqttClient> clients = new EnumMap<>(Kind.class);
    private final Semaphore arrivals = new Semaphore(0);
    private final LongAdder unexpected = new LongAdder();
    private volatile String awaited = "";
    private int neighborhoods;
    private long accepted;
    private long arrived;

    private SubscribeBenchmark(SubscribeParameters parameters, Progress progress, TinyWorld world, String prefix) {
        this.parameters = parameters;
        this.progress = progress;
        this.world = world;
        this.prefix = prefix;
        this.random = new Random(parameters.seed());
    }

    /**
     * Measures.
     *
     * @throws MeasurementException if something did not start or did not answer
     */
    public static Result run(SubscribeParameters parameters, StackChoice choice, Progress progress)
            throws MeasurementException, InterruptedException {
        Result.Builder result = Result.of(parameters.scenario(choice));
        String run = HexFormat.of().toHexDigits(RunIds.fresh());
        String prefix = "perf/" + run;
        try (TestBed bed = TestBed.open(choice, progress)) {
            MqttAddress second = bed.secondEdge("perf-" + run);
            progress.line("adding " + parameters.entities() + " entities, ids " + prefix + "/…");
            try (TinyWorld world = TinyWorld.add(bed, prefix, parameters.entities());
                    SubscribeBenchmark benchmark = new SubscribeBenchmark(parameters, progress, world, prefix)) {
                benchmark.connect(bed.edge(), second);
                benchmark.run(result);
            }
        }
        return result.build();
    }

    private void connect(MqttAddress first, MqttAddress second) throws MeasurementException, InterruptedException {
        for (Kind kind : Kind.values()) {
            String id = prefix.replace('/', '-') + "-" + kind.name().toLowerCase(Locale.ROOT);
            clients.put(kind, MqttClient.connect(kind == Kind.NEW ? second : first, id, this::received));
        }
    }

    private void run(Result.Builder result) throws MeasurementException, InterruptedException {
        List<Map<Kind, Histogram>> rounds = new ArrayList<>();
        for (int r = 0; r <= parameters.rounds(); r++) {
            Map<Kind, Histogram> micros = round();
            progress.line(String.format(
                    Locale.ROOT,
                    "%s: known on another edge p50 %.2f ms",
                    r == 0 ? "warm-up" : "round " + r + " of " + parameters.rounds(),
                    millis(histogram(micros, Kind.KNOWN_ELSEWHERE), 50)));
            if (r > 0) {
                rounds.add(micros);
            }
        }
        for (Kind kind : Kind.values()) {
            result.figure(figure(kind, 50, rounds)).figure(figure(kind, 99, rounds));
            if (kind != Kind.PLAIN) {
                result.figure(Measurement.ratio(
                        kind.label + ": p50, ÷ plain", figure(kind, 50, rounds), figure(Kind.PLAIN, 50, rounds)));
            }
        }
        result.target(Target.atMost(MOST_MILLIS, figure(Kind.KNOWN_ELSEWHERE, 50, rounds)));
        unexpected.add(arrivals.drainPermits());
        result.note("time from SUBSCRIBE to SUBACK; plain: without neighborhood, on the same edge")
                .book("subscriptions accepted", (long) neighborhoods * Kind.values().length, accepted)
                .book("copies after SUBACK", 3L * neighborhoods, arrived)
                .book("copies not expected", 0, unexpected.sum());
    }

    private static Measurement figure(Kind kind, int percentile, List<Map<Kind, Histogram>> rounds) {
        return new Measurement(
                kind.label + ": p" + percentile,
                "ms",
                rounds.stream()
                        .map(micros -> millis(histogram(micros, kind), percentile))
                        .toList());
    }

    /** One histogram of microseconds for each kind. */
    private Map<Kind, Histogram> round() throws MeasurementException, InterruptedException {
        Map<Kind, Histogram> micros = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            micros.put(kind, new Histogram(3));
        }
        for (int s = 0; s < parameters.subscriptions(); s++) {
            int n = neighborhoods++;
            for (Kind kind : Kind.values()) {
                MqttClient client = client(kind);
                MqttClient.Answer answer = kind == Kind.PLAIN
                        ? client.subscribe(prefix + "/plain/" + n, QOS, null, "")
                        : client.subscribe(prefix + "/spatial", QOS, world.descriptor(n), "n" + n);
                if (answer.refused()) {
                    progress.line("refused: " + answer.refusal());
                } else {
                    accepted++;
                    histogram(micros, kind).recordValue(answer.nanos() / 1_000);
                }
            }
            prove("n" + n);
        }
        return micros;
    }

    /** Publishes once; the three clients must get it in this neighborhood. */
    private void prove(String neighborhood) throws InterruptedException {
        unexpected.add(arrivals.drainPermits());
        awaited = neighborhood;
        String entity = world.detectors().get(random.nextInt(parameters.entities()));
        var unused = client(Kind.PLAIN)
                .publish(Mqtt5Publish.builder()
                        .topic(prefix + "/spatial")
                        .qos(MqttClient.qos(QOS))
                        .userProperties(MqttClient.about(entity))
                        .build());
        for (int copy = 0; copy < 3; copy++) {
            if (arrivals.tryAcquire(ARRIVAL_SECONDS, TimeUnit.SECONDS)) {
                arrived++;
            }
        }
    }

    private void received(Mqtt5Publish message) {
        if (message.getTopic().toString().equals(prefix + "/spatial") && MqttClient.isIn(message, awaited)) {
            arrivals.release();
        } else {
            unexpected.increment();
        }
    }

    private MqttClient client(Kind kind) {
        return Objects.requireNonNull(clients.get(kind));
    }

    private static Histogram histogram(Map<Kind, Histogram> micros, Kind kind) {
        return Objects.requireNonNull(micros.get(kind));
    }

    private static double millis(Histogram micros, double percentile) {
        return micros.getValueAtPercentile(percentile) / 1e3;
    }

    @Override
    public void close() {
        clients.values().forEach(MqttClient::close);
    }
}
