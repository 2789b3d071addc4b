package io.hereabouts.launcher.device;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A key of an edge on localhost, made by {@code keytool}.
 *
 * @param certificate file in PEM
 */
public record EdgeKey(Path keystore, Path passwordFile, Path certificate) {

    /** A new one in this folder. */
    public static EdgeKey make(Path folder) throws IOException, InterruptedException {
        EdgeKey key = new EdgeKey(
                folder.resolve("edge.p12"),
                Files.writeString(folder.resolve("password"), "changeit"),
                folder.resolve("edge.pem"));
        key.keytool(
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-storetype",
                "PKCS12");
        key.keytool("-exportcert", "-rfc", "-file", key.certificate.toString());
        return key;
    }

    /** With these the edge uses it. */
    public Map<String, String> settings() {
        return Map.of(
                "mqtt.tls.keystore", keystore.toString(),
                "mqtt.tls.keystore-password-file", passwordFile.toString());
    }

    private void keytool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of(
                "-alias", "edge", "-keystore", keystore.toString(), "-storepass:file", passwordFile.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException("keytool: " + said);
        }
    }
}
