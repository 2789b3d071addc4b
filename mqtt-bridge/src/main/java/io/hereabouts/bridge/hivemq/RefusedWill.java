package io.hereabouts.bridge.hivemq;

/**
 * Why a CONNECT is refused for its will.
 *
 * @param counted tag of the counter
 * @param code reason code of the CONNACK
 */
record RefusedWill(String counted, int code, String reason) {}
