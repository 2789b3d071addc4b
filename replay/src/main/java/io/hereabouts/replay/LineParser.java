package io.hereabouts.replay;

/** Reads one line of a file. */
interface LineParser {

    Row parse(String line) throws BadLineException;
}
