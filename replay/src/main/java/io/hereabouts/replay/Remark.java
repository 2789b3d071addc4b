package io.hereabouts.replay;

import java.util.Locale;

/** What is remarkable about a row that becomes a publication all the same. */
public enum Remark {
    OVERLAP_EARLIER("its local time comes twice, the earlier is taken"),
    OVERLAP_LATER("its local time comes twice, the later is taken"),
    GAP_SHIFTED("its local time does not exist, it is shifted by the gap"),
    OUT_OF_ORDER("is earlier than a row before it, it is sent at once");

    private final String text;

    Remark(String text) {
        this.text = text;
    }

    /** As metrics and reports tell it. */
    public String tag() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** As people are told of it, after file and line. */
    public String text() {
        return text;
    }
}
