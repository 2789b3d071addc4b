package io.hereabouts.schemas.settings;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Every setting of Hereabouts, with its default: what {@code docs/configuration.md} lists. Read by {@link Settings}.
 * Durations are written {@code 500ms}, {@code 10s}, {@code 5m}, {@code 1h} or {@code 7d}.
 */
@ConfigMapping(prefix = "hereabouts")
public interface StackSettings {

    /** Folder for what the embedded stack keeps. */
    @WithDefault("data")
    Path data();

    Kafka kafka();

    Topics topics();

    Mqtt mqtt();

    Security security();

    Edge edge();

    Bridge bridge();

    Neighborhood neighborhood();

    Router router();

    World world();

    Http http();

    /** Where Kafka is. */
    interface Kafka {
        /** {@code host:port,…}; absent: a broker inside this process. */
        Optional<String> bootstrapServers();

        /** Port of the broker inside this process on 127.0.0.1; 0 for any free one. */
        @WithDefault("9092")
        int port();

        /** How long a process waits at its start until Kafka, its topics and its database are there. */
        @WithDefault("2m")
        Duration startTimeout();

        /** A properties file with further client settings, for those that are secret; read as it is. */
        Optional<Path> settingsFile();

        /** Further client settings, passed through to every Kafka client. */
        Map<String, String> settings();
    }

    /** The Kafka topics. */
    interface Topics {
        /** What every name begins with. */
        @WithDefault("hereabouts.")
        String prefix();

        /** Partitions of publications and filters. */
        @WithDefault("12")
        int partitions();

        @WithDefault("1")
        short replication();

        /** How long publications and deliveries are kept. */
        @WithDefault("1d")
        Duration retention();
    }

    /** The MQTT listeners. */
    interface Mqtt {
        /** Which there are. */
        @WithDefault("tcp")
        List<MqttListener> listeners();

        @WithDefault("127.0.0.1")
        String host();

        /** Of {@link MqttListener#TCP}; 0 for any free one, here and in the others. */
        @WithDefault("1883")
        int port();

        Websocket websocket();

        Tls tls();

        /** Largest packet that a client may send, in bytes. */
        @WithDefault("2097152")
        int maxPacket();

        /** Where sessions are kept. */
        @WithDefault("file")
        Persistence persistence();

        /** Whether the HiveMQ extension lets in clients that no other extension does; the embedded broker always does. */
        @WithDefault("false")
        boolean allowAnonymous();
    }

    /** Whether a session outlives the process of its edge. */
    enum Persistence {
        FILE,
        MEMORY
    }

    /** By what clients reach the broker. */
    enum MqttListener {
        TCP,
        TLS,
        WEBSOCKET,
        SECURE_WEBSOCKET
    }

    /** MQTT over WebSocket. */
    interface Websocket {
        @WithDefault("8000")
        int port();

        /** Of {@link MqttListener#SECURE_WEBSOCKET}. */
        @WithDefault("8443")
        int securePort();

        @WithDefault("/mqtt")
        String path();
    }

    /** What {@link MqttListener#TLS} and {@link MqttListener#SECURE_WEBSOCKET} prove and ask for. */
    interface Tls {
        @WithDefault("8883")
        int port();

        /** Key and certificate of the edge; PKCS #12 or JKS. */
        Optional<Path> keystore();

        Optional<Path> keystorePasswordFile();

        /** Absent: the key has the password of the keystore. */
        Optional<Path> keyPasswordFile();

        /** The authorities whose certificates clients may come with. */
        Optional<Path> truststore();

        Optional<Path> truststorePasswordFile();

        @WithDefault("none")
        ClientCertificate clientCertificate();

        /** Whether the common name of its certificate is a client's user name. */
        @WithDefault("false")
        boolean userFromCertificate();
    }

    /** Whether a client proves who it is by a certificate. */
    enum ClientCertificate {
        NONE,
        OPTIONAL,
        REQUIRED
    }

    /** Who may do what. */
    interface Security {
        /** The security file; absent: everybody may do everything. */
        Optional<Path> file();

        /** How often it is looked at whether that file has changed. */
        @WithDefault("5s")
        Duration reload();
    }

    /** The bridge between MQTT and Kafka. */
    interface Edge {
        /** Absent: made once and kept in the data folder. */
        Optional<String> id();

        /** How long a PUBACK may wait for Kafka; then the client is disconnected. */
        @WithDefault("10s")
        Duration publishTimeout();

        /** How long a SUBACK may wait for resolver and router; at most half of the client's keep-alive is used. */
        @WithDefault("15s")
        Duration subscribeTimeout();

        /** An edge that was not heard of for so long is gone: a resolver removes what it left. */
        @WithDefault("1h")
        Duration expiry();

        /** Deliveries of QoS 1 and 2 that a client whose session is kept may have waiting. */
        @WithDefault("100000")
        int queueMessages();

        /** Bytes of deliveries that a client may have waiting, of QoS 0 and of the others. */
        @WithDefault("67108864")
        long queueBytes();

        /** What happens to a connected client for which more than that waits. */
        @WithDefault("drop")
        SlowClients slowClients();

        /** Whether deliveries leave through HiveMQ's own pipeline, or by interceptors of its SDK. */
        @WithDefault("true")
        boolean inPipeline();

        /** Largest payload with an entity, in bytes. */
        @WithDefault("1048576")
        int maxPayload();

        /** Memory for retained publications about entities, in bytes; beyond it no more of them are retained. */
        @WithDefault("67108864")
        long retainedBytes();

        /** Refuse a PUBLISH whose entity the world model does not know, with 0x83. */
        @WithDefault("false")
        boolean strictEntities();
    }

    /** What edges carry to each other besides publications about entities. */
    interface Bridge {
        /** Topic filters; absent: nothing. */
        Optional<List<String>> topics();
    }

    /** What becomes of clients that do not keep up. */
    enum SlowClients {
        DROP,
        DISCONNECT
    }

    /** Limits of a neighborhood. */
    interface Neighborhood {
        /** Bytes of JSON. */
        @WithDefault("32768")
        int maxBytes();

        @WithDefault("8")
        int maxStages();

        /** References of one stage. */
        @WithDefault("1000")
        int maxReferences();

        /** Categories of one stage. */
        @WithDefault("100")
        int maxCategories();

        /** Nesting of and, or, not. */
        @WithDefault("16")
        int maxDepth();

        /** Entities of one neighborhood; one beyond is refused with 0x97. */
        @WithDefault("1000000")
        int maxEntities();

        /** How long the entities of a neighborhood that nobody wants any more stay with the router. */
        @WithDefault("60s")
        Duration linger();
    }

    /** The Kafka Streams application. */
    interface Router {
        /** Stream threads of this instance. */
        @WithDefault("1")
        int threads();

        /** What happens to publications in flight when a router dies. */
        @WithDefault("at_least_once")
        Guarantee guarantee();

        @WithDefault("1s")
        Duration commitInterval();

        @WithDefault("10s")
        Duration sessionTimeout();

        /** After how long without a heartbeat an edge gets nothing of a group that has other edges. */
        @WithDefault("30s")
        Duration edgeSilence();
    }

    /** Named as Kafka Streams names them. */
    enum Guarantee {
        AT_LEAST_ONCE,
        EXACTLY_ONCE_V2
    }

    /** The world model. */
    interface World {
        /** memory (fed from Kafka) or postgis. */
        @WithDefault("memory")
        Kind kind();

        Postgis postgis();
    }

    /** Where the process answers about itself: metrics and health. */
    interface Http {
        @WithDefault("127.0.0.1")
        String host();

        /** 0 for any free one. */
        @WithDefault("9400")
        int port();
    }

    /** Where the entities are. */
    enum Kind {
        MEMORY,
        POSTGIS
    }

    /** The database, for {@link Kind#POSTGIS}. */
    interface Postgis {
        /** JDBC URL without credentials. */
        @WithDefault("jdbc:postgresql://127.0.0.1:5432/hereabouts")
        String url();

        @WithDefault("hereabouts")
        String user();

        Optional<String> password();

        /** A file with the password. */
        Optional<Path> passwordFile();
    }
}
