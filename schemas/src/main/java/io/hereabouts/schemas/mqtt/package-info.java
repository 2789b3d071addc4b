/** The user properties that carry Hereabouts over MQTT 5. */
@NullMarked
package io.hereabouts.schemas.mqtt;

import org.jspecify.annotations.NullMarked;
