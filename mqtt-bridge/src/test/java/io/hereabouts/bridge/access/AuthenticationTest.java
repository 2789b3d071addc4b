package io.hereabouts.bridge.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import io.hereabouts.bridge.access.Outcome.Admitted;
import io.hereabouts.bridge.access.Outcome.Denied;
import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuthenticationTest {

    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
    private static final Tokens ISSUER = new Tokens();
    private static final String HASH = PasswordHash.of("secret");

    @TempDir
    Path folder;

    private String file = "";
    private Policy policy;

    @BeforeEach
    void read() throws Exception {
        Files.writeString(folder.resolve("keys.json"), ISSUER.keySet());
        file =
                """
                users:
                  alice: {password: '%s', roles: [driver]}
                  sensor-7: {roles: [driver]}
                certificates: {roles: [guest]}
                jwt:
                  issuer: %s
                  audience: %s
                  algorithms: [ES256, RS256]
                  jwks-file: keys.json
                roles:
                  driver: {publish: [{topics: 'a/${username}'}]}
                  guest: {subscribe: [{topics: b}]}
                """
                        .formatted(HASH, Tokens.ISSUER, Tokens.AUDIENCE);
        policy = parse(file);
    }

    private Policy parse(String text) throws Exception {
        InstantSource clock = InstantSource.fixed(NOW);
        return new SecurityFile(new DescriptorParser(DescriptorLimits.DEFAULT), new TokenFile(folder, clock))
                .parse(text);
    }

    private Outcome password(String user, String password) {
        return Authentication.check(
                policy,
                new Credentials(
                        "c",
                        Optional.empty(),
                        Optional.of(user),
                        Optional.of(password.getBytes(StandardCharsets.UTF_8))));
    }

    private Outcome token(String token) {
        return Authentication.check(
                policy,
                new Credentials(
                        "c", Optional.empty(), Optional.empty(), Optional.of(token.getBytes(StandardCharsets.UTF_8))));
    }

    private static void denied(Outcome outcome, int code, String detail) {
        assertThat(outcome).isInstanceOfSatisfying(Denied.class, denied -> {
            assertThat(denied.code()).isEqualTo(code);
            assertThat(denied.detail()).contains(detail);
        });
    }

    private static Admission admitted(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Admitted.class);
        return ((Admitted) outcome).admission();
    }

    @Test
    void shouldAdmitByPassword() {
        assertThat(admitted(password("alice", "secret")).who()).isEqualTo(new Identity("c", Optional.of("alice")));
        denied(password("alice", "Secret"), 0x86, "wrong password");
        denied(password("alice", ""), 0x86, "wrong password");
        denied(password("bob", "secret"), 0x86, "no such user");
        denied(password("sensor-7", "secret"), 0x86, "has no password");
    }

    @Test
    void shouldNotSayWhichPartIsWrong() {
        assertThat(((Denied) password("alice", "x")).text()).isEqualTo(((Denied) password("bob", "x")).text());
    }

    @Test
    void shouldAdmitNobodyWithoutCredentialsUnlessTheFileSaysSo() throws Exception {
        Credentials nothing = new Credentials("c", Optional.empty(), Optional.empty(), Optional.empty());
        denied(Authentication.check(policy, nothing), 0x87, "no role");
        policy = parse(file + "anonymous: {roles: [guest]}\n");
        assertThat(admitted(Authentication.check(policy, nothing)).who().user()).isEmpty();
        denied(
                Authentication.check(
                        policy, new Credentials("c", Optional.empty(), Optional.of("alice"), Optional.empty())),
                0x86,
                "no password");
    }

    @Test
    void shouldAdmitByCertificate() {
        Credentials listed = new Credentials("c", Optional.of("sensor-7"), Optional.empty(), Optional.empty());
        assertThat(admitted(Authentication.check(policy, listed)).who().user()).contains("sensor-7");
        Credentials other = new Credentials("c", Optional.of("x"), Optional.empty(), Optional.empty());
        assertThat(((Admitted) Authentication.check(policy, other)).rights())
                .isEqualTo(policy.rights(new Identity("c", Optional.of("x")), java.util.Set.of("guest")));
        Credentials says = new Credentials("c", Optional.of("x"), Optional.of("sensor-7"), Optional.empty());
        denied(Authentication.check(policy, says), 0x86, "the certificate is of 'x'");
    }

    @Test
    void shouldAdmitByToken() {
        Admission admission = admitted(token(ISSUER.token("carol", NOW.plusSeconds(60), "driver", "unheard-of")));
        assertThat(admission.who().user()).contains("carol");
        assertThat(admission.expires()).contains(NOW.plusSeconds(90));
        denied(token(ISSUER.token("carol", NOW.plusSeconds(60), "unheard-of")), 0x87, "no role");
        denied(
                password("alice", ISSUER.token("carol", NOW.plusSeconds(60), "driver")),
                0x86,
                "the token is of 'carol'");
    }

    @Test
    void shouldReadRolesWhereverTheyAre() throws Exception {
        policy = parse(file.replace("jwks-file", "roles-claim: realm_access.roles\n  jwks-file"));
        JWTClaimsSet claims = Tokens.claims("carol", NOW.plusSeconds(60))
                .claim("realm_access", java.util.Map.of("roles", List.of("driver")))
                .build();
        admitted(token(ISSUER.signed(claims)));
        policy = parse(file.replace("jwks-file", "roles-claim: scope\n  jwks-file"));
        admitted(token(ISSUER.signed(Tokens.claims("carol", NOW.plusSeconds(60))
                .claim("scope", "guest driver")
                .build())));
    }

    @Test
    void shouldBelieveNoOtherToken() throws Exception {
        Instant soon = NOW.plusSeconds(60);
        denied(token(ISSUER.token("carol", NOW.minusSeconds(31), "driver")), 0x86, "Expired");
        admitted(token(ISSUER.token("carol", NOW.minusSeconds(29), "driver")));
        denied(token(new Tokens().token("carol", soon, "driver")), 0x86, "token:");
        JWTClaimsSet good = Tokens.claims("carol", soon, "driver").build();
        denied(
                token(ISSUER.signed(
                        new JWTClaimsSet.Builder(good).issuer("https://other").build())),
                0x86,
                "iss");
        denied(
                token(ISSUER.signed(
                        new JWTClaimsSet.Builder(good).audience("other").build())),
                0x86,
                "aud");
        denied(
                token(ISSUER.signed(
                        new JWTClaimsSet.Builder(good).expirationTime(null).build())),
                0x86,
                "exp");
        denied(token(ISSUER.signed(new JWTClaimsSet.Builder(good).subject(null).build())), 0x86, "sub");
        denied(
                token(ISSUER.signed(new JWTClaimsSet.Builder(good)
                        .notBeforeTime(Date.from(NOW.plusSeconds(40)))
                        .build())),
                0x86,
                "before");
        String token = ISSUER.signed(good);
        String[] parts = token.split("\\.", -1);
        String forged = new JWTClaimsSet.Builder(good).subject("root").build().toString();
        denied(
                token(parts[0] + "."
                        + java.util.Base64.getUrlEncoder()
                                .withoutPadding()
                                .encodeToString(forged.getBytes(StandardCharsets.UTF_8))
                        + "." + parts[2]),
                0x86,
                "token:");
        denied(token("eyJ.." + "x"), 0x86, "token:");
    }

    @Test
    void shouldTakeNeitherNoSignatureNorAPublicKeyForASecret() throws Exception {
        JWTClaimsSet good =
                Tokens.claims("carol", NOW.plusSeconds(60), "driver").build();
        denied(token(new PlainJWT(good).serialize()), 0x86, "token:");
        byte[] known = ISSUER.key.toECPublicKey().getEncoded();
        denied(token(Tokens.signed(JWSAlgorithm.HS256, new MACSigner(known), good)), 0x86, "token:");
        // a key of the issuer's, with an algorithm that is not listed
        com.nimbusds.jose.jwk.ECKey large = new com.nimbusds.jose.jwk.gen.ECKeyGenerator(
                        com.nimbusds.jose.jwk.Curve.P_384)
                .keyID("k1")
                .generate();
        Files.writeString(folder.resolve("keys.json"), new com.nimbusds.jose.jwk.JWKSet(large).toString(true));
        policy = parse(file);
        denied(token(Tokens.signed(JWSAlgorithm.ES384, new ECDSASigner(large), good)), 0x86, "token:");
        policy = parse(file.replace("ES256", "ES384"));
        admitted(token(Tokens.signed(JWSAlgorithm.ES384, new ECDSASigner(large), good)));
    }

    @Test
    void shouldFollowTheFile() throws Exception {
        Admission admission = admitted(password("alice", "secret"));
        assertThat(Authentication.again(policy, admission))
                .contains(policy.rights(admission.who(), java.util.Set.of("driver")));
        assertThat(Authentication.again(parse(file.replace(HASH, PasswordHash.of("other"))), admission))
                .as("another password")
                .isEmpty();
        assertThat(Authentication.again(parse(file.replace("alice", "malice")), admission))
                .as("gone")
                .isEmpty();
        Admission byToken = admitted(token(ISSUER.token("carol", NOW.plusSeconds(60), "driver")));
        assertThat(Authentication.again(parse(file.replace(Tokens.ISSUER, "https://other")), byToken))
                .as("another issuer")
                .isEmpty();
        assertThat(Authentication.again(parse(file.replace("a/${username}", "c/${username}")), byToken))
                .isPresent()
                .isNotEqualTo(Authentication.again(policy, byToken));
    }
}
