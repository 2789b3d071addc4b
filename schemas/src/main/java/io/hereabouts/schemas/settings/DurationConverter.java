package io.hereabouts.schemas.settings;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.spi.Converter;

/** Durations as people write them: {@code 500ms}, {@code 10s}, {@code 5m}, {@code 1h}, {@code 7d}. */
public final class DurationConverter implements Converter<Duration> {

    private static final long serialVersionUID = 1L;
    private static final Pattern SYNTAX = Pattern.compile("(\\d{1,12})(ms|s|m|h|d)");

    /**
     * Reads a duration.
     *
     * @throws IllegalArgumentException saying what was expected
     */
    public static Duration parse(String text) {
        Matcher matcher = SYNTAX.matcher(text.trim());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a duration such as 500ms, 10s, 5m, 1h or 7d");
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }

    @Override
    public Duration convert(String text) {
        return parse(text);
    }
}
