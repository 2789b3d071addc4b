package io.hereabouts.bridge.hivemq;

import io.hereabouts.bridge.Listeners;
import io.hereabouts.schemas.settings.StackSettings.MqttListener;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The {@code config.xml} of a HiveMQ of ours. It holds no password but a name for each, which HiveMQ replaces when it
 * reads the file: nothing secret gets onto the disk. Not thread-safe.
 */
final class BrokerXml {

    private final HiveMq.Settings settings;
    private final Map<String, String> secrets = new LinkedHashMap<>();
    private final String text;

    BrokerXml(HiveMq.Settings settings) {
        this.settings = settings;
        this.text =
                """
                <?xml version="1.0"?>
                <hivemq>
                    <listeners>
                %s    </listeners>
                    <persistence><mode>%s</mode></persistence>
                    <mqtt>
                        <packets><max-packet-size>%d</max-packet-size></packets>
                        <receive-maximum><server-receive-maximum>%d</server-receive-maximum></receive-maximum>
                        <queued-messages>
                            <max-queue-size>%d</max-queue-size>
                            <strategy>discard</strategy>
                        </queued-messages>
                    </mqtt>
                    <anonymous-usage-statistics><enabled>false</enabled></anonymous-usage-statistics>
                </hivemq>
                """
                        .formatted(
                                listeners(),
                                settings.temporary() ? "in-memory" : "file",
                                settings.maxPacket(),
                                settings.receiveMaximum(),
                                settings.queueLimit());
    }

    String text() {
        return text;
    }

    /** What the names in it stand for, while HiveMQ reads it: system properties. */
    Map<String, String> secrets() {
        return secrets;
    }

    private String listeners() {
        StringBuilder xml = new StringBuilder();
        // each time in the same order, so that the log of two starts reads alike
        for (MqttListener kind : MqttListener.values()) {
            Integer port = settings.listeners().ports().get(kind);
            if (port != null) {
                xml.append(listener(kind, port)).append('\n');
            }
        }
        return xml.toString();
    }

    private String listener(MqttListener kind, int port) {
        String element =
                switch (kind) {
                    case TCP -> "tcp-listener";
                    case TLS -> "tls-tcp-listener";
                    case WEBSOCKET -> "websocket-listener";
                    case SECURE_WEBSOCKET -> "tls-websocket-listener";
                };
        boolean webSocket = kind == MqttListener.WEBSOCKET || kind == MqttListener.SECURE_WEBSOCKET;
        boolean encrypted = kind == MqttListener.TLS || kind == MqttListener.SECURE_WEBSOCKET;
        return "<" + element + "><port>" + port + "</port><bind-address>"
                + escaped(settings.listeners().host()) + "</bind-address><name>" + kind + "</name>"
                + (webSocket
                        ? "<path>" + escaped(settings.listeners().path())
                                + "</path><subprotocols><subprotocol>mqtt</subprotocol></subprotocols>"
                        : "")
                + (encrypted ? tls(settings.listeners().tls().orElseThrow()) : "")
                + "</" + element + ">";
    }

    private String tls(Listeners.Tls tls) {
        return "<tls><keystore>" + store(tls.keystore()) + "<private-key-password>" + secret(tls.keyPassword())
                + "</private-key-password></keystore>"
                + tls.truststore()
                        .map(store -> "<truststore>" + store(store) + "</truststore>")
                        .orElse("")
                + "<protocols><protocol>TLSv1.3</protocol><protocol>TLSv1.2</protocol></protocols>"
                + "<client-authentication-mode>" + tls.client() + "</client-authentication-mode></tls>";
    }

    private String store(Listeners.Store store) {
        return "<path>" + escaped(store.file().toString()) + "</path><password>" + secret(store.password())
                + "</password>";
    }

    private String secret(String value) {
        String name = "hereabouts.secret." + UUID.randomUUID();
        // it replaces the name in the text, before that is read as XML
        secrets.put(name, escaped(value));
        return "${" + name + "}";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
