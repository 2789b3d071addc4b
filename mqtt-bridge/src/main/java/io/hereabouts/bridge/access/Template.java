package io.hereabouts.bridge.access;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text of a grant in which {@code ${clientid}} and {@code ${username}} stand for the client's. A value that could mean
 * more than one level of one name (a wildcard, a slash, nothing at all, a leading {@code $}) fills nothing: the grant is
 * then void for this client. Immutable.
 *
 * @param text as in the security file
 */
record Template(String text) {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}]*)}");

    /** @throws IllegalArgumentException if it names a variable that there is not */
    Template {
        VARIABLE.matcher(text).results().map(found -> found.group(1)).forEach(name -> {
            if (!name.equals("clientid") && !name.equals("username")) {
                throw new IllegalArgumentException("has ${" + name + "}, expected ${clientid} or ${username}");
            }
        });
    }

    /** With the values of this client; empty if one of them is missing or would widen the grant. */
    Optional<String> fill(Identity identity) {
        Matcher variables = VARIABLE.matcher(text);
        StringBuilder filled = new StringBuilder();
        while (variables.find()) {
            String value = variables.group(1).equals("clientid")
                    ? identity.client()
                    : identity.user().orElse("");
            if (!isOneName(value)) {
                return Optional.empty();
            }
            variables.appendReplacement(filled, Matcher.quoteReplacement(value));
        }
        return Optional.of(variables.appendTail(filled).toString());
    }

    private static boolean isOneName(String value) {
        return !value.isEmpty()
                && value.charAt(0) != '$'
                && value.chars().noneMatch(c -> c == '+' || c == '#' || c == '/' || c == 0);
    }

    @Override
    public String toString() {
        return text;
    }
}
