/** MQTT topic names and topic filters that cannot be invalid (MQTT 5.0 §4.7). */
@NullMarked
package io.hereabouts.model.topic;

import org.jspecify.annotations.NullMarked;
