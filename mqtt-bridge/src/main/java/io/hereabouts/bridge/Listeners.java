package io.hereabouts.bridge;

import io.hereabouts.schemas.settings.StackSettings;
import io.hereabouts.schemas.settings.StackSettings.MqttListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Where an edge listens for MQTT. Immutable.
 *
 * @param host address to listen on
 * @param ports by kind, in the order wanted; 0 for any free one
 * @param path of MQTT over WebSocket
 * @param tls what the encrypted ones of them need
 */
public record Listeners(String host, Map<MqttListener, Integer> ports, String path, Optional<Tls> tls) {

    /**
     * The edge's side of TLS, and whether clients have to show a certificate.
     *
     * @param keystore PKCS #12 or JKS
     * @param keyPassword of the key in it
     */
    public record Tls(
            Store keystore, String keyPassword, Optional<Store> truststore, StackSettings.ClientCertificate client) {

        /** Says nothing of the passwords. */
        @Override
        public String toString() {
            return "Tls[" + keystore + ", " + truststore + ", " + client + "]";
        }
    }

    /** A file of keys or certificates. */
    public record Store(Path file, String password) {

        /** Says nothing of the password. */
        @Override
        public String toString() {
            return file.toString();
        }
    }

    private static final int MAX_PORT = 65_535;

    public Listeners {
        ports = Map.copyOf(new LinkedHashMap<>(ports));
    }

    /** MQTT over TCP, unencrypted. */
    public static Listeners tcp(String host, int port) {
        return new Listeners(host, Map.of(MqttListener.TCP, port), "/mqtt", Optional.empty());
    }

    /**
     * As the settings say; reads the files of passwords.
     *
     * @throws IllegalArgumentException with everything that is wrong
     */
    static Listeners of(StackSettings.Mqtt mqtt) {
        List<String> problems = new ArrayList<>();
        Map<MqttListener, Integer> ports = new LinkedHashMap<>();
        for (MqttListener kind : mqtt.listeners()) {
            ports.put(
                    kind,
                    switch (kind) {
                        case TCP -> mqtt.port();
                        case TLS -> mqtt.tls().port();
                        case WEBSOCKET -> mqtt.websocket().port();
                        case SECURE_WEBSOCKET -> mqtt.websocket().securePort();
                    });
        }
        Optional<Tls> tls =
                ports.keySet().stream().anyMatch(Listeners::isEncrypted) ? tls(mqtt.tls(), problems) : Optional.empty();
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
        return new Listeners(mqtt.host(), ports, mqtt.websocket().path(), tls);
    }

    /** {@code host:port}, with commas. */
    public String addresses() {
        return ports.values().stream().sorted().map(port -> host + ":" + port).collect(Collectors.joining(", "));
    }

    /** Whether what travels by it is encrypted. */
    static boolean isEncrypted(MqttListener kind) {
        return kind == MqttListener.TLS || kind == MqttListener.SECURE_WEBSOCKET;
    }

    void check(List<String> problems) {
        if (host.isBlank()) {
            problems.add("mqtt.host is '" + host + "', expected an address to listen on");
        }
        if (ports.isEmpty()) {
            problems.add("mqtt.listeners is empty, expected tcp, tls, websocket or secure-websocket");
        }
        ports.forEach((kind, port) -> {
            if (port < 0 || port > MAX_PORT) {
                problems.add(key(kind) + " is '" + port + "', expected 0 to " + MAX_PORT);
            }
        });
        long used = ports.values().stream().filter(port -> port != 0).count();
        if (ports.values().stream().filter(port -> port != 0).distinct().count() < used) {
            problems.add("mqtt.listeners has two on one port: " + ports);
        }
        if (!path.startsWith("/")) {
            problems.add("mqtt.websocket.path is '" + path + "', expected a path that begins with '/'");
        }
        if (tls.isEmpty() && ports.keySet().stream().anyMatch(Listeners::isEncrypted)) {
            problems.add("mqtt.tls.keystore is missing, expected the file with key and certificate of the edge");
        }
    }

    /** The setting of a port. */
    static String key(MqttListener kind) {
        return switch (kind) {
            case TCP -> "mqtt.port";
            case TLS -> "mqtt.tls.port";
            case WEBSOCKET -> "mqtt.websocket.port";
            case SECURE_WEBSOCKET -> "mqtt.websocket.secure-port";
        };
    }

    private static Optional<Tls> tls(StackSettings.Tls settings, List<String> problems) {
        Optional<Store> keystore =
                store("keystore", settings.keystore(), settings.keystorePasswordFile(), true, problems);
        boolean asked = settings.clientCertificate() != StackSettings.ClientCertificate.NONE;
        Optional<Store> truststore =
                store("truststore", settings.truststore(), settings.truststorePasswordFile(), asked, problems);
        if (settings.userFromCertificate() && !asked) {
            problems.add("mqtt.tls.user-from-certificate is 'true' but mqtt.tls.client-certificate is 'none'");
        }
        return keystore.map(store -> new Tls(
                store,
                settings.keyPasswordFile()
                        .flatMap(file -> secret("mqtt.tls.key-password-file", file, problems))
                        .orElse(store.password()),
                asked ? truststore : Optional.empty(),
                settings.clientCertificate()));
    }

    private static Optional<Store> store(
            String name, Optional<Path> file, Optional<Path> passwordFile, boolean needed, List<String> problems) {
        String key = "mqtt.tls." + name;
        if (file.isEmpty()) {
            if (needed) {
                problems.add(key + " is missing, expected a PKCS #12 or JKS file");
            }
            return Optional.empty();
        }
        if (!Files.isReadable(file.get())) {
            problems.add(key + " is '" + file.get() + "', which cannot be read");
        }
        if (passwordFile.isEmpty()) {
            problems.add(key + "-password-file is missing, expected a file with the password of " + file.get());
            return Optional.empty();
        }
        return secret(key + "-password-file", passwordFile.get(), problems)
                .map(password -> new Store(file.get().toAbsolutePath(), password));
    }

    private static Optional<String> secret(String key, Path file, List<String> problems) {
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (IOException e) {
            problems.add(key + " is '" + file + "', which cannot be read");
            return Optional.empty();
        }
    }
}
