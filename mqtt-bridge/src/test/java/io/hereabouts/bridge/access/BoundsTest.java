package io.hereabouts.bridge.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What somebody who floods the edge cannot use up. */
class BoundsTest {

    @Test
    void shouldLeaveRoomForOthersWhenOneAddressAsksTooOften() {
        CountDownLatch held = new CountDownLatch(1);
        AtomicInteger done = new AtomicInteger();
        try (Checks checks = new Checks()) {
            Runnable check = () -> {
                try {
                    held.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                done.incrementAndGet();
            };
            for (int i = 0; i < Checks.FROM_ONE_ADDRESS; i++) {
                assertThat(checks.submit("flood", check)).isTrue();
            }
            assertThat(checks.submit("flood", check)).isFalse();
            assertThat(checks.submit("other", check)).isTrue();
            held.countDown();
            await().until(() -> done.get() == Checks.FROM_ONE_ADDRESS + 1);
            await().until(() -> checks.submit("flood", () -> {}));
        }
    }

    @Test
    void shouldForgiveFailuresWithTime() {
        Failures failures = new Failures();
        for (int i = 0; i < Failures.BURST; i++) {
            assertThat(failures.tooMany("a", 0)).isFalse();
            failures.failed("a", 0);
        }
        assertThat(failures.tooMany("a", 0)).isTrue();
        assertThat(failures.tooMany("b", 0)).isFalse();
        assertThat(failures.tooMany("a", 1_000 / Failures.A_SECOND - 1)).isTrue();
        assertThat(failures.tooMany("a", 1_000 / Failures.A_SECOND)).isFalse();
        for (int i = 0; i < Failures.ADDRESSES; i++) {
            failures.failed("x" + i, 0);
        }
        assertThat(failures.tooMany("a", 0)).as("remembers the last only").isFalse();
    }

    @Test
    void shouldKeepTheClientIdWithItsUser() {
        Rights rights = new Rights(List.of(), List.of());
        Owners owners = new Owners();
        Owners.Owner alice = new Owners.Owner(Optional.of("alice"), rights, 1, true);
        Owners.Owner bob = new Owners.Owner(Optional.of("bob"), rights, 2, true);
        assertThat(owners.claim("c", Optional.empty(), alice)).isTrue();
        assertThat(owners.claim("c", Optional.empty(), bob)).as("too late").isFalse();
        owners.disconnected("c", 7, true);
        assertThat(owners.of("c")).as("another connection").contains(alice);
        owners.disconnected("c", 1, false);
        assertThat(owners.offline()).containsExactly("c");
        Owners.Owner offline = owners.of("c").orElseThrow();
        assertThat(owners.claim("c", Optional.of(alice), bob))
                .as("looked at before")
                .isFalse();
        assertThat(owners.claim("c", Optional.of(offline), bob)).isTrue();
        owners.forget("c", offline);
        assertThat(owners.of("c")).contains(bob);
        owners.disconnected("c", 2, true);
        assertThat(owners.of("c")).isEmpty();
    }

    @Test
    void shouldBoundAndQuoteTheAudit() {
        Logger logger = (Logger) LoggerFactory.getLogger(Audit.LOGGER);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try {
            AtomicReference<Instant> now = new AtomicReference<>(Instant.ofEpochSecond(1_000));
            Audit audit = new Audit(now::get);
            for (int i = 0; i < 1_000; i++) {
                audit.denied("publish", "c\n\"x", "u", "127.0.0.1", "not_authorized", "d".repeat(70_000));
            }
            assertThat(lines.list).hasSize(50);
            assertThat(lines.list.get(0).getFormattedMessage())
                    .startsWith("denied publish reason=not_authorized client=\"c\\u000a\\\"x\" user=\"u\"")
                    .hasSizeLessThan(300);
            now.set(Instant.ofEpochSecond(1_001));
            audit.denied("publish", "c", "u", "127.0.0.1", "not_authorized", "d");
            assertThat(lines.list.get(50).getFormattedMessage()).isEqualTo("950 denials were left out");
            assertThat(lines.list).hasSize(52);
        } finally {
            logger.detachAppender(lines);
        }
    }
}
