package io.hereabouts.bridge.hivemq;

import com.hivemq.extension.sdk.api.packets.connect.ConnackReasonCode;
import com.hivemq.extension.sdk.api.packets.disconnect.DisconnectReasonCode;
import com.hivemq.extension.sdk.api.packets.publish.AckReasonCode;
import com.hivemq.extension.sdk.api.packets.subscribe.SubackReasonCode;

/** MQTT 5 reason codes as HiveMQ's SDK names them; a code that a packet may not carry becomes "unspecified". */
final class ReasonCodes {

    private ReasonCodes() {}

    static AckReasonCode ack(int code) {
        return switch (code) {
            case 0x83 -> AckReasonCode.IMPLEMENTATION_SPECIFIC_ERROR;
            case 0x87 -> AckReasonCode.NOT_AUTHORIZED;
            case 0x90 -> AckReasonCode.TOPIC_NAME_INVALID;
            case 0x97 -> AckReasonCode.QUOTA_EXCEEDED;
            case 0x99 -> AckReasonCode.PAYLOAD_FORMAT_INVALID;
            default -> AckReasonCode.UNSPECIFIED_ERROR;
        };
    }

    static SubackReasonCode suback(int code) {
        return switch (code) {
            case 0x83 -> SubackReasonCode.IMPLEMENTATION_SPECIFIC_ERROR;
            case 0x87 -> SubackReasonCode.NOT_AUTHORIZED;
            case 0x8F -> SubackReasonCode.TOPIC_FILTER_INVALID;
            case 0x97 -> SubackReasonCode.QUOTA_EXCEEDED;
            case 0x9E -> SubackReasonCode.SHARED_SUBSCRIPTION_NOT_SUPPORTED;
            default -> SubackReasonCode.UNSPECIFIED_ERROR;
        };
    }

    static ConnackReasonCode connack(int code) {
        return switch (code) {
            case 0x83 -> ConnackReasonCode.IMPLEMENTATION_SPECIFIC_ERROR;
            case 0x86 -> ConnackReasonCode.BAD_USER_NAME_OR_PASSWORD;
            case 0x87 -> ConnackReasonCode.NOT_AUTHORIZED;
            case 0x88 -> ConnackReasonCode.SERVER_UNAVAILABLE;
            case 0x89 -> ConnackReasonCode.SERVER_BUSY;
            case 0x90 -> ConnackReasonCode.TOPIC_NAME_INVALID;
            case 0x95 -> ConnackReasonCode.PACKET_TOO_LARGE;
            case 0x97 -> ConnackReasonCode.QUOTA_EXCEEDED;
            case 0x9A -> ConnackReasonCode.RETAIN_NOT_SUPPORTED;
            case 0x9F -> ConnackReasonCode.CONNECTION_RATE_EXCEEDED;
            default -> ConnackReasonCode.UNSPECIFIED_ERROR;
        };
    }

    static DisconnectReasonCode disconnect(int code) {
        return switch (code) {
            case 0x83 -> DisconnectReasonCode.IMPLEMENTATION_SPECIFIC_ERROR;
            case 0x87 -> DisconnectReasonCode.NOT_AUTHORIZED;
            case 0x8E -> DisconnectReasonCode.SESSION_TAKEN_OVER;
            case 0x95 -> DisconnectReasonCode.PACKET_TOO_LARGE;
            case 0x97 -> DisconnectReasonCode.QUOTA_EXCEEDED;
            case 0x98 -> DisconnectReasonCode.ADMINISTRATIVE_ACTION;
            case 0x9A -> DisconnectReasonCode.RETAIN_NOT_SUPPORTED;
            case 0xA0 -> DisconnectReasonCode.MAXIMUM_CONNECT_TIME;
            default -> DisconnectReasonCode.UNSPECIFIED_ERROR;
        };
    }
}
