package io.hereabouts.bridge.access;

import io.hereabouts.bridge.access.SecurityFile.BadSecurityFileException;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who may connect, and what they may do then: the security file as it is now. It is looked at again and again, and one
 * that cannot be used changes nothing. Thread-safe.
 */
public final class Access implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Access.class);

    /**
     * Where it is written who may do what.
     *
     * @param reload how often that is looked at
     * @param userFromCertificate whether the common name of a certificate is a user name
     */
    public record Settings(Path file, Duration reload, boolean userFromCertificate) {}

    /** What becomes of a security file that has changed. */
    public enum Reload {
        APPLIED,
        REFUSED
    }

    private final Settings settings;
    private final SecurityFile reader;
    private final Consumer<Reload> counter;
    private final Checks checks = new Checks();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "hereabouts-access-timer");
        thread.setDaemon(true);
        return thread;
    });
    private final InstantSource clock;
    /** Of the file and of the keys beside it, as they were last looked at. */
    private byte[] seen;

    private String lastProblem = "";

    private volatile Policy policy;

    private Access(Settings settings, DescriptorParser descriptors, InstantSource clock, Consumer<Reload> counter) {
        this.settings = settings;
        this.clock = clock;
        Path folder = settings.file().toAbsolutePath().getParent();
        this.reader = new SecurityFile(descriptors, new TokenFile(folder == null ? Path.of("/") : folder, clock));
        this.counter = counter;
        try {
            byte[] file = Files.readAllBytes(settings.file());
            this.policy = reader.parse(new String(file, StandardCharsets.UTF_8));
            this.seen = withKeys(policy, file);
        } catch (IOException e) {
            throw new IllegalStateException("security.file is '" + settings.file() + "', which cannot be read", e);
        } catch (BadSecurityFileException e) {
            throw new IllegalStateException("security.file " + settings.file() + ": " + e.getMessage(), e);
        }
    }

    /**
     * Reads the security file, and goes on looking at it.
     *
     * @param counter told when it has changed
     * @throws IllegalStateException with everything that is wrong with it
     */
    public static Access open(
            Settings settings, DescriptorParser descriptors, InstantSource clock, Consumer<Reload> counter) {
        Access access = new Access(settings, descriptors, clock, counter);
        long millis = settings.reload().toMillis();
        var unused = access.timer.scheduleWithFixedDelay(access::look, millis, millis, TimeUnit.MILLISECONDS);
        return access;
    }

    /** Whether the common name of a certificate is a user name. */
    public boolean userFromCertificate() {
        return settings.userFromCertificate();
    }

    /**
     * Checks credentials, elsewhere.
     *
     * @param address where they come from
     * @return false if too many are being checked; nobody is told then
     */
    public boolean check(Credentials shown, String address, Consumer<Outcome> told) {
        return checks.submit(address, () -> {
            Outcome outcome;
            try {
                outcome = Authentication.check(policy, shown);
            } catch (RuntimeException e) {
                LOG.error("checking the credentials of {} failed", Audit.quoted(shown.client()), e);
                outcome = new Outcome.Denied("bug", 0x80, "internal error", e.toString());
            }
            told.accept(outcome);
        });
    }

    /** What somebody who was admitted may do now; empty if he would not be admitted any more. */
    public Optional<Rights> again(Admission admission) {
        return Authentication.again(policy, admission);
    }

    /** Whether a client id belongs to its user as long as the session lasts. */
    public boolean isSameUserOnly() {
        return policy.sameUser();
    }

    /** The neighborhoods that somebody may speak for. */
    public Set<NeighborhoodDescriptor> spokenFor() {
        return policy.neighborhoods();
    }

    /** Whether publishing depends on the categories of entities. */
    public boolean asksForCategories() {
        return policy.asksForCategories();
    }

    /** Told after another file has come into force. */
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    /** Runs something when a token expires, or again and again. */
    public ScheduledFuture<?> at(Instant when, Runnable task) {
        long millis = Math.max(0, Duration.between(clock.instant(), when).toMillis());
        return timer.schedule(task, millis, TimeUnit.MILLISECONDS);
    }

    /** Runs something again and again. */
    public void every(Duration period, Runnable task) {
        var unused = timer.scheduleWithFixedDelay(
                () -> {
                    try {
                        task.run();
                    } catch (RuntimeException e) {
                        LOG.error("failed, and goes on", e);
                    }
                },
                period.toMillis(),
                period.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private void look() {
        try {
            byte[] file = Files.readAllBytes(settings.file());
            if (Arrays.equals(withKeys(policy, file), seen)) {
                lastProblem = "";
                return;
            }
            Policy next = reader.parse(new String(file, StandardCharsets.UTF_8));
            seen = withKeys(next, file);
            policy = next;
            lastProblem = "";
            LOG.info("security.file {} has changed and is in force", settings.file());
            counter.accept(Reload.APPLIED);
            listeners.forEach(Runnable::run);
        } catch (IOException e) {
            unused("cannot be read: " + e.getMessage());
        } catch (BadSecurityFileException e) {
            unused(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            LOG.error("security.file {} could not be dealt with", settings.file(), e);
            counter.accept(Reload.REFUSED);
        }
    }

    private void unused(String why) {
        if (!why.equals(lastProblem)) {
            lastProblem = why;
            LOG.error("security.file {} is not used, what it said before holds: {}", settings.file(), why);
            counter.accept(Reload.REFUSED);
        }
    }

    /** The file and that of the keys which it names. */
    private static byte[] withKeys(Policy policy, byte[] file) throws IOException {
        Optional<Path> keys = policy.tokens().flatMap(TokenRules::file);
        if (keys.isEmpty()) {
            return file;
        }
        byte[] more = Files.readAllBytes(keys.get());
        byte[] both = Arrays.copyOf(file, file.length + more.length);
        System.arraycopy(more, 0, both, file.length, more.length);
        return both;
    }

    @Override
    public void close() {
        timer.shutdownNow();
        checks.close();
    }
}
