package io.hereabouts.schemas.settings;

import java.util.List;

/** Settings that are refused; the message has a line for each. */
public final class InvalidSettingsException extends Exception {

    private static final long serialVersionUID = 1L;

    public InvalidSettingsException(List<String> problems) {
        super(String.join(System.lineSeparator(), problems));
    }
}
