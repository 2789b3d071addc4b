package io.hereabouts.bridge.access;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.time.Instant;
import java.util.Date;
import java.util.List;

/** An issuer of tokens. */
public final class Tokens {

    public static final String ISSUER = "https://issuer.example";
    public static final String AUDIENCE = "hereabouts";

    final ECKey key;

    public Tokens() {
        try {
            key = new ECKeyGenerator(Curve.P_256).keyID("k1").generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The public keys, as an issuer publishes them. */
    public String keySet() {
        return new JWKSet(key).toString(true);
    }

    /** Claims that are believed. */
    static JWTClaimsSet.Builder claims(String user, Instant expires, String... roles) {
        return new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .audience(AUDIENCE)
                .subject(user)
                .expirationTime(Date.from(expires))
                .claim("roles", List.of(roles));
    }

    public String token(String user, Instant expires, String... roles) {
        return signed(claims(user, expires, roles).build());
    }

    String signed(JWTClaimsSet claims) {
        try {
            return signed(JWSAlgorithm.ES256, new ECDSASigner(key), claims);
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    static String signed(JWSAlgorithm algorithm, JWSSigner signer, JWTClaimsSet claims) {
        try {
            SignedJWT token =
                    new SignedJWT(new JWSHeader.Builder(algorithm).keyID("k1").build(), claims);
            token.sign(signer);
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }
}
