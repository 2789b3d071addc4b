/** The whole way, from MQTT client to MQTT client: against a broker without Hereabouts, and how long subscribing takes. */
@NullMarked
package io.hereabouts.perf.mqtt;

import org.jspecify.annotations.NullMarked;
