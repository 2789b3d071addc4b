package io.hereabouts.bridge.access;

import io.hereabouts.model.entity.EntityId;

/**
 * Ids of entities: one, or all that begin alike. Immutable.
 *
 * @param text the id, or its beginning
 * @param beginning whether more may follow
 */
record EntityPattern(String text, boolean beginning) {

    boolean fits(EntityId entity) {
        return beginning ? entity.value().startsWith(text) : entity.value().equals(text);
    }

    /** How it is written: an id, or a beginning and {@code *}. What a variable stands for is never a wildcard. */
    record Form(Template template, boolean beginning) {

        /** @throws IllegalArgumentException saying what is wrong */
        static Form parse(String written) {
            boolean beginning = written.endsWith("*");
            String text = beginning ? written.substring(0, written.length() - 1) : written;
            if (beginning && text.endsWith("}")) {
                throw new IllegalArgumentException(
                        "has '*' after a variable, which goes for everybody whose name begins with this one; put '/'"
                                + " between them");
            }
            if (written.isEmpty()) {
                throw new IllegalArgumentException("is empty, expected an id or a beginning and '*'");
            }
            return new Form(new Template(text), beginning);
        }
    }
}
