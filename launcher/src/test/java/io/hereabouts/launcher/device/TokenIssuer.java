package io.hereabouts.launcher.device;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;

/** Gives out JSON Web Tokens, and its public key over HTTP. */
public final class TokenIssuer implements AutoCloseable {

    private static final String NAME = "https://issuer.example";
    private static final String AUDIENCE = "city";
    private static final String KEY = "k";
    private static final int LIFETIME_SECONDS = 300;

    private final RSAKey key;
    private final HttpServer server;

    private TokenIssuer(RSAKey key, HttpServer server) {
        this.key = key;
        this.server = server;
    }

    /** One with a key of its own, on a free port of the loopback address. */
    public static TokenIssuer start() throws IOException, JOSEException {
        RSAKey key = new RSAKeyGenerator(2048).keyID(KEY).generate();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] keys = new JWKSet(key).toString(true).getBytes(StandardCharsets.UTF_8);
        server.createContext("/keys", exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, keys.length);
            exchange.getResponseBody().write(keys);
            exchange.close();
        });
        server.start();
        return new TokenIssuer(key, server);
    }

    /** What a security file says to trust it. */
    public String jwtSection() {
        return """
                jwt:
                  issuer: %s
                  audience: %s
                  algorithms: [RS256]
                  jwks-url: http://127.0.0.1:%d/keys
                """
                .formatted(NAME, AUDIENCE, server.getAddress().getPort());
    }

    /** A token that says who it is and which role it has, for some minutes. */
    public String token(String user, String role) throws JOSEException {
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(KEY).build(),
                new JWTClaimsSet.Builder()
                        .issuer(NAME)
                        .audience(AUDIENCE)
                        .subject(user)
                        .expirationTime(Date.from(Instant.now().plusSeconds(LIFETIME_SECONDS)))
                        .claim("roles", List.of(role))
                        .build());
        token.sign(new RSASSASigner(key));
        return token.serialize();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
