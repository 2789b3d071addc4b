package io.hereabouts.bridge.access;

import java.util.Optional;

/**
 * Who a connected client is.
 *
 * @param client its client id: what it calls itself, which proves nothing
 * @param user the user name that its credentials prove; empty for an anonymous one
 */
public record Identity(String client, Optional<String> user) {}
