package io.hereabouts.launcher.kafka;

import io.hereabouts.launcher.Wiring;
import io.hereabouts.schemas.kafka.EdgeRegister.Lease;
import io.hereabouts.schemas.kafka.EdgesLog;
import io.hereabouts.schemas.kafka.Generation;
import io.hereabouts.schemas.kafka.Generations;
import io.hereabouts.schemas.kafka.GenerationsTopic;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;

/**
 * Moves a running system to a generation of {@code publications} and {@code filters} with more partitions. What has been
 * reached is in the Kafka topic {@code generations}, so that after a kill the same call goes on from there. For one
 * thread; one at a time for a system.
 *
 * <p>Nothing is lost and nothing overtakes: publications go to the next generation when every interest of every edge is
 * active in it; the old topic then refuses writes; the next one is routed when all of the old one is.
 */
public final class Growth implements AutoCloseable {

    private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final Duration REMIND = Duration.ofSeconds(10);

    private final Wiring wiring;
    private final TopicCatalogue topics;
    private final Set<String> without;
    private final Duration patience;
    private final Consumer<String> progress;
    private final GenerationAdmin admin;
    private final EdgesLog edges;

    /**
     * Connects; changes nothing.
     *
     * @param without edges that are not waited for, because they will never write again
     * @param patience how long each step may take
     * @param progress told what is done and waited for, a line each
     */
    public Growth(Wiring wiring, Set<String> without, Duration patience, Consumer<String> progress) {
        this.wiring = wiring;
        this.topics = wiring.topics();
        this.without = Set.copyOf(without);
        this.patience = patience;
        this.progress = progress;
        this.admin = new GenerationAdmin(wiring.kafka());
        this.edges = new EdgesLog(wiring.kafka(), "hereabouts-grow-edges", topics);
    }

    /** The generations there are. */
    public Generations now() throws InterruptedException, TimeoutException {
        return GenerationsTopic.read(wiring.kafka(), topics, READ_TIMEOUT);
    }

    /** The edges that have a lease: each is waited for. */
    public Set<String> edges() {
        edges.readToEnd();
        Set<String> names = new TreeSet<>();
        edges.register().leases().keySet().forEach(edge -> names.add(edge.value()));
        return names;
    }

    /**
     * Begins, or goes on with what was begun; returns when the system has this many partitions.
     *
     * @throws IllegalArgumentException if it has more already, or is growing to another number
     * @throws TimeoutException if a step takes longer than it may; what was reached stays
     */
    public void to(int partitions) throws ExecutionException, InterruptedException, TimeoutException {
        Generations now = now();
        refuse(now, partitions);
        if (now.next().isEmpty() && partitions > now.current().partitions()) {
            now = prepare(now, partitions);
        }
        if (now.next().isPresent() && !now.switching()) {
            now = switchOver(now);
        }
        if (now.switching()) {
            now = finish(now);
        }
        retire(now);
        progress.accept(
                "publications and filters have " + now.current().partitions() + " partitions: " + now.current());
    }

    /**
     * Takes a growth back that has not switched yet.
     *
     * @throws IllegalArgumentException if there is none, or it is too late
     */
    public void abort() throws ExecutionException, InterruptedException, TimeoutException {
        Generations now = now();
        Generation next = now.next()
                .orElseThrow(() -> new IllegalArgumentException("nothing grows: there is only " + now.current()));
        if (now.switching()) {
            throw new IllegalArgumentException("publications go to " + next + " already: it can only be finished, with"
                    + " --partitions " + next.partitions());
        }
        GenerationsTopic.write(wiring.kafka(), topics, Generations.only(now.current()));
        remove(next);
        progress.accept("there is only " + now.current());
    }

    private static void refuse(Generations now, int partitions) {
        Generation current = now.current();
        if (now.next().isPresent() && now.next().get().partitions() != partitions) {
            throw new IllegalArgumentException("a growth to " + now.next().get().partitions()
                    + " partitions is under way: finish it with --partitions "
                    + now.next().get().partitions() + (now.switching() ? "" : ", or take it back with --abort"));
        }
        if (partitions < current.partitions()) {
            throw new IllegalArgumentException("there are " + current.partitions()
                    + " partitions: they can only become more, expected more than " + current.partitions());
        }
    }

    private Generations prepare(Generations now, int partitions)
            throws ExecutionException, InterruptedException, TimeoutException {
        Generations preparing = now.preparing(partitions);
        TopicCatalogue next = topics.at(preparing.next().orElseThrow());
        try (TopicAdmin creator = new TopicAdmin(wiring.kafka(), topics)) {
            creator.create(next.ofGeneration());
            List<String> problems = creator.check(next.ofGeneration());
            if (!problems.isEmpty()) {
                throw new IllegalStateException(String.join("; ", problems));
            }
        }
        GenerationsTopic.write(wiring.kafka(), topics, preparing);
        progress.accept(
                "made " + next.publications() + " and " + next.filters() + " with " + partitions + " partitions");
        return preparing;
    }

    private Generations switchOver(Generations now) throws ExecutionException, InterruptedException, TimeoutException {
        Generation next = now.next().orElseThrow();
        await(
                "a router of " + next,
                () -> admin.isStable(wiring.router().at(next).group()));
        await(
                "a resolver of " + next,
                () -> admin.isStable(wiring.resolver().at(next).group()));
        awaitEdges("whose interests are not all active in " + next, lease -> lease.ready() >= next.number());
        Generations switched = now.switched();
        GenerationsTopic.write(wiring.kafka(), topics, switched);
        progress.accept("all interests are active in " + next + ": publications go there");
        return switched;
    }

    private Generations finish(Generations now) throws ExecutionException, InterruptedException, TimeoutException {
        Generation next = now.next().orElseThrow();
        TopicCatalogue old = topics.at(now.current());
        awaitEdges("that still write to " + old.publications(), lease -> lease.generation() >= next.number());
        if (admin.exists(old)) {
            awaitSilence(old);
            admin.closeForWrites(old);
            progress.accept(old.publications() + " takes no more writes");
            Map<TopicPartition, Long> ends = admin.ends(old);
            String group = wiring.router().at(now.current()).group();
            await("what is in " + old.publications() + " to be routed", () -> admin.behind(group, ends) == 0);
        }
        Generations grown = now.grown();
        GenerationsTopic.write(wiring.kafka(), topics, grown);
        progress.accept("all of " + now.current() + " is routed: " + next + " takes over");
        return grown;
    }

    /** Whoever writes to Kafka without an edge is given the time to notice; what it writes is routed until then. */
    private void awaitSilence(TopicCatalogue old) throws ExecutionException, InterruptedException, TimeoutException {
        await(
                "others than edges to stop writing to " + old.publications() + " (" + topics.generations()
                        + " says where to go)",
                () -> {
                    Map<TopicPartition, Long> before = admin.ends(old);
                    TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
                    return before.equals(admin.ends(old));
                });
    }

    private void retire(Generations now) throws ExecutionException, InterruptedException, TimeoutException {
        if (now.current().number() > 1) {
            remove(new Generation(now.current().number() - 1, now.current().partitions()));
        }
    }

    private void remove(Generation generation) throws ExecutionException, InterruptedException, TimeoutException {
        TopicCatalogue gone = topics.at(generation);
        if (!admin.exists(gone)) {
            return;
        }
        List<String> groups = List.of(
                wiring.router().at(generation).group(),
                wiring.resolver().at(generation).group());
        for (String group : groups) {
            await("group " + group + " to end", () -> admin.isEmpty(group));
        }
        admin.delete(gone);
        for (String group : groups) {
            // who was just starting may have joined it since
            await("group " + group + " to end", () -> admin.deleteGroup(group));
        }
        progress.accept("removed " + gone.publications() + " and " + gone.filters());
    }

    private void awaitEdges(String who, Predicate<Lease> isDone)
            throws ExecutionException, InterruptedException, TimeoutException {
        await("edges " + who, () -> waitingFor(isDone).isEmpty(), () -> ": " + String.join(", ", waitingFor(isDone)));
    }

    private Set<String> waitingFor(Predicate<Lease> isDone) {
        Set<String> waiting = new TreeSet<>();
        edges.readToEnd();
        edges.register().leases().forEach((edge, lease) -> {
            if (!isDone.test(lease) && !without.contains(edge.value())) {
                waiting.add(edge + " on " + lease.host());
            }
        });
        return waiting;
    }

    private interface Condition {
        boolean holds() throws ExecutionException, InterruptedException;
    }

    private interface Detail {
        String text();
    }

    private void await(String what, Condition condition)
            throws ExecutionException, InterruptedException, TimeoutException {
        await(what, condition, () -> "");
    }

    private void await(String what, Condition condition, Detail detail)
            throws ExecutionException, InterruptedException, TimeoutException {
        long begin = System.nanoTime();
        long told = begin;
        while (!condition.holds()) {
            long now = System.nanoTime();
            if (now - begin > patience.toNanos()) {
                throw new TimeoutException("waited " + patience.toSeconds() + " s for " + what + detail.text());
            }
            if (now - told > REMIND.toNanos()) {
                told = now;
                progress.accept("waits for " + what + detail.text());
            }
            TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
        }
    }

    @Override
    public void close() {
        edges.close();
        admin.close();
    }
}
