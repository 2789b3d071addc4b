package io.hereabouts.bridge.access;

/** What becomes of a CONNECT. */
public sealed interface Outcome permits Outcome.Admitted, Outcome.Denied {

    /** It may go on, with these rights. */
    record Admitted(Admission admission, Rights rights) implements Outcome {}

    /**
     * It may not.
     *
     * @param reason tag of the counter
     * @param code of the CONNACK
     * @param text for the client: it does not say whether there is such a user
     * @param detail for the operator
     */
    record Denied(String reason, int code, String text, String detail) implements Outcome {}
}
