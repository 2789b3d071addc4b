package io.hereabouts.bridge.access;

import com.password4j.Argon2Function;
import com.password4j.BcryptFunction;
import com.password4j.HashingFunction;
import com.password4j.Password;
import com.password4j.types.Argon2;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is kept of a password: bcrypt ({@code $2a$}, {@code $2b$}, {@code $2y$}) or Argon2id ({@code $argon2id$v=19$…}) in their
 * usual text form. What a check costs is bounded, so that a file cannot be written that nobody can log in by. Immutable.
 */
public final class PasswordHash {

    /** OWASP's first choice for Argon2id: 19 MiB, 2 passes, 1 lane. */
    private static final int MEMORY_KIB = 19_456;

    private static final int PASSES = 2;
    private static final int LANES = 1;
    private static final int HASH_BYTES = 32;
    private static final int SALT_BYTES = 16;

    private static final int MAX_MEMORY_KIB = 262_144;
    private static final int MAX_PASSES = 10;
    private static final int MAX_LANES = 16;
    private static final int MIN_ROUNDS = 4;
    private static final int MAX_ROUNDS = 14;

    private static final Pattern BCRYPT = Pattern.compile("\\$2[aby]\\$(\\d\\d)\\$[./A-Za-z0-9]{53}");
    private static final Pattern ARGON2ID =
            Pattern.compile("\\$argon2id\\$v=19\\$m=(\\d{1,8}),t=(\\d{1,3}),p=(\\d{1,3})"
                    + "\\$[A-Za-z0-9+/]{11,}\\$[A-Za-z0-9+/]{16,}");

    /** Bcrypt looks at no more bytes: a longer password would be as good as its beginning. */
    private static final int BCRYPT_BYTES = 72;

    private final String text;
    private final HashingFunction function;

    private PasswordHash(String text, HashingFunction function) {
        this.text = text;
        this.function = function;
    }

    /** @throws IllegalArgumentException saying what is wrong, without the hash */
    static PasswordHash parse(String text) {
        Matcher bcrypt = BCRYPT.matcher(text);
        if (bcrypt.matches()) {
            int cost = Integer.parseInt(bcrypt.group(1));
            if (cost < MIN_ROUNDS || cost > MAX_ROUNDS) {
                throw new IllegalArgumentException(
                        "is bcrypt of cost " + cost + ", expected " + MIN_ROUNDS + " to " + MAX_ROUNDS);
            }
            return new PasswordHash(text, BcryptFunction.getInstanceFromHash(text));
        }
        Matcher argon2 = ARGON2ID.matcher(text);
        if (argon2.matches()) {
            int memory = Integer.parseInt(argon2.group(1));
            int passes = Integer.parseInt(argon2.group(2));
            int lanes = Integer.parseInt(argon2.group(3));
            // checked before the library sees it, which takes the memory at once
            if (memory > MAX_MEMORY_KIB || passes > MAX_PASSES || lanes > MAX_LANES) {
                throw new IllegalArgumentException("is Argon2id with m=" + memory + ",t=" + passes + ",p=" + lanes
                        + ", the limit is m=" + MAX_MEMORY_KIB + ",t=" + MAX_PASSES + ",p=" + MAX_LANES);
            }
            if (memory < 8 * lanes || passes < 1 || lanes < 1) {
                throw new IllegalArgumentException("is Argon2id with m=" + memory + ",t=" + passes + ",p=" + lanes
                        + ", expected t and p of at least 1 and m of at least 8 p");
            }
            return new PasswordHash(text, Argon2Function.getInstanceFromHash(text));
        }
        throw new IllegalArgumentException(
                "is no bcrypt or Argon2id hash ($2b$… or $argon2id$…); 'hereabouts password' makes one");
    }

    /**
     * A hash of this password, Argon2id with a salt of its own.
     *
     * @throws IllegalArgumentException if the password is empty
     */
    public static String of(CharSequence password) {
        if (password.length() == 0) {
            throw new IllegalArgumentException("the password is empty");
        }
        return Password.hash(password)
                .addRandomSalt(SALT_BYTES)
                .with(Argon2Function.getInstance(MEMORY_KIB, PASSES, LANES, HASH_BYTES, Argon2.ID))
                .getResult();
    }

    /** Takes some tens of milliseconds of one core, whatever the answer. */
    boolean matches(byte[] password) {
        String decoded;
        try {
            decoded = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(password))
                    .toString();
        } catch (CharacterCodingException e) {
            decoded = "";
        }
        boolean tooLong = function instanceof BcryptFunction && password.length > BCRYPT_BYTES;
        boolean fits = Password.check(tooLong ? "" : decoded, text).with(function);
        return fits && !tooLong && !decoded.isEmpty();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PasswordHash hash && hash.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** Not the hash: it could be guessed at. */
    @Override
    public String toString() {
        return "PasswordHash";
    }
}
