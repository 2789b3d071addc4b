package io.hereabouts.bridge.access;

import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import java.io.IOException;
import java.net.InetAddress;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** Reads what the security file says of tokens. Immutable. */
final class TokenFile {

    /** Signatures by a private key: whoever can check one cannot make one. */
    private static final Set<String> ALGORITHMS =
            Set.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");

    private static final int CONNECT_MILLIS = 2_000;
    private static final int READ_MILLIS = 3_000;
    private static final int MAX_BYTES = 1 << 20;
    private static final Duration MAX_SKEW = Duration.ofMinutes(5);

    private final Path folder;
    private final InstantSource clock;

    /** @param folder that relative paths begin at */
    TokenFile(Path folder, InstantSource clock) {
        this.folder = folder;
        this.clock = clock;
    }

    /** The file of keys that a security file names, which has to be looked at for changes as well. */
    Path resolve(String file) {
        return folder.resolve(file);
    }

    Optional<TokenRules> read(Yaml jwt, Set<String> roles) {
        String issuer = jwt.needed("issuer");
        String audience = jwt.needed("audience");
        Set<String> algorithms = jwt.words("algorithms");
        if (!jwt.has("algorithms")) {
            jwt.problem("algorithms", "is missing");
        }
        algorithms.stream()
                .filter(name -> !ALGORITHMS.contains(name))
                .forEach(name -> jwt.problem(
                        "algorithms",
                        "has '" + name + "', expected "
                                + ALGORITHMS.stream().sorted().toList()));
        String userClaim = jwt.text("username-claim").orElse("sub");
        String rolesClaim = jwt.text("roles-claim").orElse("roles");
        Set<String> all = jwt.has("roles") ? SecurityFile.roles(jwt, roles) : Set.of();
        Duration skew = Duration.ZERO;
        try {
            skew = Duration.ofSeconds(
                    Long.parseLong(jwt.text("clock-skew-seconds").orElse("30")));
        } catch (NumberFormatException e) {
            jwt.problem("clock-skew-seconds", "expected a number");
        }
        if (skew.isNegative() || skew.compareTo(MAX_SKEW) > 0) {
            jwt.problem("clock-skew-seconds", "expected 0 to " + MAX_SKEW.toSeconds());
        }
        Optional<JWKSource<SecurityContext>> keys = keys(jwt);
        Duration clockSkew = skew;
        Set<String> pinned = new LinkedHashSet<>(algorithms);
        jwt.done();
        return keys.map(source -> new TokenRules(
                new TokenRules.Wanted(
                        jwt.text("jwks-url").or(() -> jwt.text("jwks-file")).orElse(""),
                        issuer,
                        audience,
                        pinned,
                        userClaim,
                        rolesClaim,
                        all,
                        clockSkew),
                source,
                jwt.text("jwks-file").map(this::resolve),
                clock));
    }

    private Optional<JWKSource<SecurityContext>> keys(Yaml jwt) {
        Optional<String> file = jwt.text("jwks-file");
        Optional<String> url = jwt.text("jwks-url");
        if (file.isPresent() == url.isPresent()) {
            jwt.problem("jwks-file", "expected either jwks-file or jwks-url");
            return Optional.empty();
        }
        return file.isPresent() ? fromFile(jwt, file.get()) : url.flatMap(u -> fromUrl(jwt, u));
    }

    private Optional<JWKSource<SecurityContext>> fromFile(Yaml jwt, String file) {
        try {
            JWKSet keys = JWKSet.parse(Files.readString(resolve(file)));
            if (keys.getKeys().isEmpty()) {
                jwt.problem("jwks-file", resolve(file) + " has no keys");
            }
            return Optional.of(new ImmutableJWKSet<>(keys.toPublicJWKSet()));
        } catch (IOException e) {
            jwt.problem("jwks-file", resolve(file) + " cannot be read");
        } catch (ParseException e) {
            jwt.problem("jwks-file", resolve(file) + " is no JSON Web Key Set: " + e.getMessage());
        }
        return Optional.empty();
    }

    private static Optional<JWKSource<SecurityContext>> fromUrl(Yaml jwt, String text) {
        try {
            URL url = URI.create(text).toURL();
            if (!url.getProtocol().equals("https") && !isLoopback(url)) {
                jwt.problem(
                        "jwks-url", "is '" + text + "', expected https: who can change the keys can let anybody in");
                return Optional.empty();
            }
            return Optional.of(JWKSourceBuilder.<SecurityContext>create(
                            url, new DefaultResourceRetriever(CONNECT_MILLIS, READ_MILLIS, MAX_BYTES))
                    .retrying(true)
                    .outageTolerant(true)
                    .build());
        } catch (MalformedURLException | IllegalArgumentException e) {
            jwt.problem("jwks-url", "is '" + text + "', expected a URL");
            return Optional.empty();
        }
    }

    private static boolean isLoopback(URL url) {
        try {
            return url.getProtocol().equals("http")
                    && InetAddress.getByName(url.getHost()).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
