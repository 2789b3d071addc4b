package io.hereabouts.bridge.access;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.RemoteKeySourceException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which JSON Web Tokens (RFC 7519) are believed: signed by a key of the issuer's with one of the algorithms that are
 * listed (so neither {@code none} nor a public key taken for a secret), for this audience, not expired. Thread-safe.
 */
final class TokenRules {

    /**
     * What is wanted of a token.
     *
     * @param keys what names the source of the keys
     * @param userClaim that has the user name
     * @param rolesClaim that has the roles, a list or words in a text; a path with dots where it is inside of another
     * @param roles of everybody who has a token
     */
    record Wanted(
            String keys,
            String issuer,
            String audience,
            Set<String> algorithms,
            String userClaim,
            String rolesClaim,
            Set<String> roles,
            Duration clockSkew) {}

    /** Whom a token speaks of, until when. */
    record Claims(String user, Set<String> roles, Instant expires) {}

    /** A token that is not believed. */
    static final class RefusedTokenException extends Exception {
        private static final long serialVersionUID = 1L;

        RefusedTokenException(String message) {
            super(message, null, false, false);
        }
    }

    /** The keys cannot be had just now, which says nothing about the token. */
    static final class KeysUnavailableException extends Exception {
        private static final long serialVersionUID = 1L;

        KeysUnavailableException(String message) {
            super(message, null, false, false);
        }
    }

    private final Wanted wanted;
    private final Optional<Path> file;
    private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();

    TokenRules(Wanted wanted, JWKSource<SecurityContext> keys, Optional<Path> file, InstantSource clock) {
        this.wanted = wanted;
        this.file = file;
        Set<JWSAlgorithm> algorithms = new LinkedHashSet<>();
        wanted.algorithms().forEach(name -> algorithms.add(JWSAlgorithm.parse(name)));
        processor.setJWSTypeVerifier(
                new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(algorithms, keys));
        DefaultJWTClaimsVerifier<SecurityContext> claims =
                new DefaultJWTClaimsVerifier<>(
                        wanted.audience(),
                        new JWTClaimsSet.Builder().issuer(wanted.issuer()).build(),
                        Set.of("exp", wanted.userClaim())) {
                    @Override
                    protected Date currentTime() {
                        return Date.from(clock.instant());
                    }
                };
        claims.setMaxClockSkew(Math.toIntExact(wanted.clockSkew().toSeconds()));
        processor.setJWTClaimsSetVerifier(claims);
    }

    /** The file that the keys are from, if they are from one. */
    Optional<Path> file() {
        return file;
    }

    String issuer() {
        return wanted.issuer();
    }

    /** True for a text that has the form of a signed token, believed or not. */
    static boolean isToken(String text) {
        return text.startsWith("eyJ") && text.chars().filter(c -> c == '.').count() == 2;
    }

    /** May fetch keys, which takes seconds where their server is slow. */
    Claims read(String token) throws RefusedTokenException, KeysUnavailableException {
        try {
            JWTClaimsSet claims = processor.process(token, null);
            Instant expires = claims.getExpirationTime().toInstant().plus(wanted.clockSkew());
            Object user = claims.getClaim(wanted.userClaim());
            if (!(user instanceof String name) || name.isEmpty()) {
                throw new RefusedTokenException("claim '" + wanted.userClaim() + "' is no text");
            }
            Set<String> roles = new LinkedHashSet<>(wanted.roles());
            roles.addAll(words(claims.getClaims()));
            return new Claims(name, roles, expires);
        } catch (RemoteKeySourceException e) {
            throw new KeysUnavailableException(wanted.keys() + ": " + e.getMessage());
        } catch (KeySourceException e) {
            throw new KeysUnavailableException(wanted.keys() + ": " + e.getMessage());
        } catch (BadJOSEException | JOSEException | ParseException | IllegalArgumentException e) {
            throw new RefusedTokenException(String.valueOf(e.getMessage()));
        }
    }

    private Set<String> words(Map<String, Object> claims) {
        Object found = claims.containsKey(wanted.rolesClaim())
                ? claims.get(wanted.rolesClaim())
                : at(claims, wanted.rolesClaim().split("\\.", -1));
        Set<String> words = new LinkedHashSet<>();
        if (found instanceof List<?> list) {
            list.forEach(word -> words.add(String.valueOf(word)));
        } else if (found instanceof String text) {
            words.addAll(List.of(text.strip().split("\\s+", -1)));
        }
        return words;
    }

    private static @Nullable Object at(Map<?, ?> claims, String[] path) {
        Object found = claims;
        for (String name : path) {
            found = found instanceof Map<?, ?> map ? map.get(name) : null;
        }
        return found;
    }
}
