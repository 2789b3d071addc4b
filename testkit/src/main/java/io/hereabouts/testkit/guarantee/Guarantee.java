package io.hereabouts.testkit.guarantee;

import io.hereabouts.testkit.oracle.Expected;
import io.hereabouts.testkit.oracle.Published;
import java.util.List;

/**
 * A promise of the system. Watches what happens and says at the end what was broken. All methods may be called from any
 * thread; {@link #violations} is asked when nothing happens any more.
 *
 * <p>Order of calls: {@link #publishing} before the message is handed to the publisher's client, so that no delivery can
 * overtake it; then {@link #acknowledged} or {@link #refused} once the publisher knows. A publication that gets neither
 * is in doubt: it may be delivered and need not.
 */
public interface Guarantee {

    /** What is promised, in a few words. */
    String promise();

    /**
     * A publication is about to be sent.
     *
     * @param expected the copies it should become
     */
    default void publishing(Published publication, List<Expected> expected) {}

    /** The publisher has its PUBACK or PUBREC with success, or for QoS 0 the message left. */
    default void acknowledged(String publication) {}

    /** The publisher was told that the publication was not taken: it must not be delivered. */
    default void refused(String publication) {}

    /** A message reached a client. */
    default void delivered(Delivered delivery) {}

    /** The system said that it dropped a client's copy. */
    default void dropped(String publication, String client, String reason) {}

    /** What was broken, a line each; empty if the promise held. */
    List<String> violations();
}
