package io.hereabouts.schemas.ops;

import io.hereabouts.schemas.ops.Health.State;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The components of a process and how to ask each how it is. From the start it names all that there will be, so that a
 * process is not ready before the last of them is. No answer is kept. Thread-safe.
 */
public final class ProcessHealth {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessHealth.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Duration patience;
    private final Map<String, Asked> components = new LinkedHashMap<>();
    private boolean stopping;

    /** @param components all that the process consists of, in the order they are shown; none of them has started */
    public ProcessHealth(List<String> components) {
        this(components, PATIENCE);
    }

    /** @param patience how long a component may take to answer whether it is ready */
    ProcessHealth(List<String> components, Duration patience) {
        this.patience = patience;
        components.forEach(component -> starting(component, "has not started"));
    }

    /** The component is being started, and this is what it does or waits for. */
    public void starting(String component, String reason) {
        watch(component, new Waits(reason));
    }

    /** The component has started. */
    public synchronized void watch(String component, HealthCheck check) {
        components.put(component, new Asked(check));
    }

    /** The process is about to end: nothing is ready, and nobody is to kill it for that. */
    public synchronized void stopping() {
        stopping = true;
    }

    /** Asks every component whether it can do its work in this process. Answers at once. */
    public List<Health> live() {
        return current().entrySet().stream()
                .map(entry -> dead(entry.getKey(), entry.getValue().check)
                        .orElseGet(() -> new Health(entry.getKey(), State.LIVE, List.of())))
                .toList();
    }

    /** Asks every component whether it does its work; one that does not answer within 5 seconds does not. */
    public List<Health> ready() {
        Map<String, Asked> asked = current();
        long deadline = System.nanoTime() + patience.toNanos();
        List<Question> questions = asked.entrySet().stream()
                .map(entry -> new Question(
                        entry.getKey(), entry.getValue().check, entry.getValue().ask()))
                .toList();
        return questions.stream()
                .map(q -> dead(q.component, q.check).orElseGet(() -> ready(q.component, await(q.answer, deadline))))
                .toList();
    }

    private static Optional<Health> dead(String component, HealthCheck check) {
        return check.dead().map(reason -> new Health(component, State.DEAD, List.of(reason)));
    }

    private static Health ready(String component, List<String> reasons) {
        return new Health(component, reasons.isEmpty() ? State.READY : State.NOT_READY, reasons);
    }

    private List<String> await(CompletableFuture<List<String>> answer, long deadline) {
        try {
            return answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return List.of("does not say within " + patience.toMillis() + " ms how it is");
        } catch (ExecutionException e) {
            LOG.error("a health check failed", e.getCause());
            return List.of("cannot say how it is: " + e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of("was not asked: this process is stopping");
        }
    }

    private synchronized Map<String, Asked> current() {
        Map<String, Asked> current = new LinkedHashMap<>(components);
        if (stopping) {
            current.replaceAll((component, asked) -> new Asked(new Waits("is stopping")));
        }
        return current;
    }

    private record Question(String component, HealthCheck check, CompletableFuture<List<String>> answer) {}

    private record Waits(String reason) implements HealthCheck {
        @Override
        public Optional<String> dead() {
            return Optional.empty();
        }

        @Override
        public List<String> notReady() {
            return List.of(reason);
        }
    }

    /** Asks one question at a time: a component that hangs costs one thread, however often it is asked. */
    private static final class Asked {
        private final HealthCheck check;
        private @Nullable CompletableFuture<List<String>> question;

        Asked(HealthCheck check) {
            this.check = check;
        }

        synchronized CompletableFuture<List<String>> ask() {
            if (question == null || question.isDone()) {
                question = CompletableFuture.supplyAsync(check::notReady, task -> {
                    Thread thread = new Thread(task, "hereabouts-health");
                    thread.setDaemon(true);
                    thread.start();
                });
            }
            return question;
        }
    }
}
