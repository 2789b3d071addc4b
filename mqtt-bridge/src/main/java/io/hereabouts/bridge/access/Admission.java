package io.hereabouts.bridge.access;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * That a client may connect, by what, as whom.
 *
 * @param roles that a token gives it; the roles of others are in the security file
 * @param expires when it has to go
 */
public record Admission(Identity who, Proof proof, Set<String> roles, Optional<Instant> expires) {

    /** What the client has shown. */
    sealed interface Proof permits ByPassword, ByCertificate, ByToken, ByNothing {}

    record ByPassword(PasswordHash hash) implements Proof {}

    record ByCertificate() implements Proof {}

    record ByToken(String issuer) implements Proof {}

    record ByNothing() implements Proof {}

    public Admission {
        roles = Set.copyOf(roles);
    }
}
