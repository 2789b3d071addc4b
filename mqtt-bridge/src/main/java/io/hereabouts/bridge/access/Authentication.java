package io.hereabouts.bridge.access;

import io.hereabouts.bridge.access.Outcome.Admitted;
import io.hereabouts.bridge.access.Outcome.Denied;
import io.hereabouts.bridge.access.Policy.User;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;

/**
 * Who a client is. A certificate counts before a token, a token before a password. A user that there is not costs as much
 * time as a wrong password does. No state.
 */
final class Authentication {

    private static final int BAD_USER_NAME_OR_PASSWORD = 0x86;
    private static final int NOT_AUTHORIZED = 0x87;
    private static final int SERVER_UNAVAILABLE = 0x88;

    private Authentication() {}

    /** Takes its time: to be called where that stops nobody else. */
    static Outcome check(Policy policy, Credentials shown) {
        if (shown.certificate().isPresent()) {
            return byCertificate(policy, shown, shown.certificate().get());
        }
        if (shown.password().isEmpty()) {
            return shown.user().isEmpty()
                    ? admitted(policy, new Identity(shown.client(), Optional.empty()), new Admission.ByNothing())
                    : wrong("no password");
        }
        byte[] password = shown.password().get();
        String text = new String(password, StandardCharsets.UTF_8);
        return policy.tokens().isPresent() && TokenRules.isToken(text)
                ? byToken(policy, policy.tokens().get(), shown, text)
                : byPassword(policy, shown, password);
    }

    /** What somebody who was admitted may do by this policy; empty if it would not admit him. */
    static Optional<Rights> again(Policy policy, Admission admission) {
        return roles(policy, admission).filter(policy::hasAny).map(roles -> policy.rights(admission.who(), roles));
    }

    private static Outcome byCertificate(Policy policy, Credentials shown, String name) {
        if (shown.user().isPresent() && !shown.user().get().equals(name)) {
            return wrong("the certificate is of '" + name + "'");
        }
        return admitted(policy, new Identity(shown.client(), Optional.of(name)), new Admission.ByCertificate());
    }

    private static Outcome byToken(Policy policy, TokenRules rules, Credentials shown, String token) {
        try {
            TokenRules.Claims claims = rules.read(token);
            if (shown.user().isPresent() && !shown.user().get().equals(claims.user())) {
                return wrong("the token is of '" + claims.user() + "'");
            }
            return admitted(
                    policy,
                    new Admission(
                            new Identity(shown.client(), Optional.of(claims.user())),
                            new Admission.ByToken(rules.issuer()),
                            claims.roles(),
                            Optional.of(claims.expires())));
        } catch (TokenRules.RefusedTokenException e) {
            return wrong("token: " + e.getMessage());
        } catch (TokenRules.KeysUnavailableException e) {
            return new Denied(
                    "keys_unavailable",
                    SERVER_UNAVAILABLE,
                    "the keys of the issuer cannot be had, try again later",
                    String.valueOf(e.getMessage()));
        }
    }

    private static Outcome byPassword(Policy policy, Credentials shown, byte[] password) {
        String name = shown.user().orElse("");
        User user = policy.users().get(name);
        Optional<PasswordHash> hash = user == null ? Optional.empty() : user.password();
        Optional<PasswordHash> checked = hash.or(() -> policy.users().values().stream()
                .flatMap(other -> other.password().stream())
                .findFirst());
        boolean fits = checked.map(h -> h.matches(password)).orElse(false);
        if (hash.isEmpty() || !fits) {
            return wrong(user == null ? "no such user" : hash.isEmpty() ? "has no password" : "wrong password");
        }
        return admitted(policy, new Identity(shown.client(), Optional.of(name)), new Admission.ByPassword(hash.get()));
    }

    private static Outcome admitted(Policy policy, Identity who, Admission.Proof proof) {
        return admitted(policy, new Admission(who, proof, Set.of(), Optional.empty()));
    }

    private static Outcome admitted(Policy policy, Admission admission) {
        Optional<Rights> rights = again(policy, admission);
        if (rights.isPresent()) {
            return new Admitted(admission, rights.get());
        }
        return new Denied(
                "no_role", NOT_AUTHORIZED, "not authorized to connect", "no role of the security file is the client's");
    }

    private static Optional<Set<String>> roles(Policy policy, Admission admission) {
        User user = admission.who().user().map(policy.users()::get).orElse(null);
        Admission.Proof proof = admission.proof();
        if (proof instanceof Admission.ByNothing) {
            return policy.anonymousRoles();
        }
        if (proof instanceof Admission.ByCertificate) {
            return user == null ? policy.certificateRoles() : Optional.of(user.roles());
        }
        if (proof instanceof Admission.ByToken token) {
            return policy.tokens()
                    .filter(rules -> rules.issuer().equals(token.issuer()))
                    .map(rules -> admission.roles());
        }
        return user != null
                        && proof instanceof Admission.ByPassword shown
                        && user.password().equals(Optional.of(shown.hash()))
                ? Optional.of(user.roles())
                : Optional.empty();
    }

    private static Denied wrong(String detail) {
        return new Denied(
                "bad_credentials",
                BAD_USER_NAME_OR_PASSWORD,
                "user name, password or certificate is not right",
                detail);
    }
}
