package io.hereabouts.replay.mqtt;

import com.hivemq.client.mqtt.datatypes.MqttUtf8String;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5DisconnectException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5PubAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5SubAckException;
import com.hivemq.client.mqtt.mqtt5.message.Mqtt5ReasonCode;
import com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5DisconnectReasonCode;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.suback.Mqtt5SubAckReasonCode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** What an MQTT broker gave as reason. No state. */
public final class Reasons {

    /** Reasons to disconnect that pass by themselves; after any other the same would happen again. */
    private static final Set<Mqtt5ReasonCode> PASSING = Set.of(
            Mqtt5DisconnectReasonCode.SERVER_BUSY,
            Mqtt5DisconnectReasonCode.SERVER_SHUTTING_DOWN,
            Mqtt5DisconnectReasonCode.KEEP_ALIVE_TIMEOUT,
            Mqtt5DisconnectReasonCode.CONNECTION_RATE_EXCEEDED,
            Mqtt5DisconnectReasonCode.QUOTA_EXCEEDED);

    private Reasons() {}

    /** Whether connecting again may help; yes where no reason was given. */
    static boolean passes(Throwable failure) {
        return !(cause(failure) instanceof Mqtt5DisconnectException told)
                || PASSING.contains(told.getMqttMessage().getReasonCode());
    }

    /**
     * Reason code and reason string, of a SUBACK those of the first filter that was refused; what happened where there is
     * no code.
     */
    public static String of(Throwable failure) {
        Throwable cause = cause(failure);
        if (cause instanceof Mqtt5SubAckException refused) {
            List<Mqtt5SubAckReasonCode> codes = refused.getMqttMessage().getReasonCodes();
            return text(
                    codes.stream().filter(Mqtt5ReasonCode::isError).findFirst().orElse(codes.get(0)),
                    refused.getMqttMessage().getReasonString());
        }
        if (cause instanceof Mqtt5PubAckException refused) {
            return text(
                    refused.getMqttMessage().getReasonCode(),
                    refused.getMqttMessage().getReasonString());
        }
        if (cause instanceof Mqtt5DisconnectException told) {
            return text(
                    told.getMqttMessage().getReasonCode(), told.getMqttMessage().getReasonString());
        }
        if (cause instanceof Mqtt5ConnAckException refused) {
            return text(
                    refused.getMqttMessage().getReasonCode(),
                    refused.getMqttMessage().getReasonString());
        }
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    /** A reason code with its name. */
    static String code(Mqtt5ReasonCode code) {
        return String.format("0x%02X %s", code.getCode(), code);
    }

    private static String text(Mqtt5ReasonCode code, Optional<MqttUtf8String> reason) {
        return code(code) + reason.map(text -> ": " + text).orElse("");
    }

    private static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
