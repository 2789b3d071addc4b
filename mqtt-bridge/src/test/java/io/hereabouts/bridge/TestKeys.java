package io.hereabouts.bridge;

import io.hereabouts.bridge.Listeners.Store;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/** Keys and certificates that the JDK's keytool makes, each trusted by itself. */
public final class TestKeys {

    /** With everything in it that XML and HiveMQ's placeholders could take for their own. */
    public static final String PASSWORD = "p<&>\"'$\\{x}";

    private final Path folder;

    public TestKeys(Path folder) {
        this.folder = folder;
    }

    /** A key with a certificate for this common name, good for localhost. */
    public Store make(String commonName) {
        Path file = folder.resolve(commonName + ".p12");
        try {
            Path password = Files.writeString(folder.resolve("password"), PASSWORD);
            Process keytool = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "keytool")
                                    .toString(),
                            "-J-Dfile.encoding=UTF-8",
                            "-J-Dsun.jnu.encoding=UTF-8",
                            "-genkeypair",
                            "-alias",
                            "key",
                            "-keyalg",
                            "EC",
                            "-groupname",
                            "secp256r1",
                            "-dname",
                            "CN=" + commonName + ",O=Test",
                            "-ext",
                            "san=dns:localhost,ip:127.0.0.1",
                            "-validity",
                            "30",
                            "-storetype",
                            "PKCS12",
                            "-keystore",
                            file.toString(),
                            "-storepass:file",
                            password.toString())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (keytool.waitFor() != 0) {
                throw new IllegalStateException(said);
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return new Store(file, PASSWORD);
    }

    /** A store that has nothing but the certificates of these. */
    public Store trusting(String name, Store... others) {
        try {
            KeyStore trust = KeyStore.getInstance("PKCS12");
            trust.load(null, null);
            for (Store other : others) {
                trust.setCertificateEntry(other.file().getFileName().toString(), certificate(other));
            }
            Path file = folder.resolve(name + ".p12");
            try (OutputStream out = Files.newOutputStream(file)) {
                trust.store(out, PASSWORD.toCharArray());
            }
            return new Store(file, PASSWORD);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The certificate as mosquitto's clients want it. */
    Path pem(Store store) {
        try {
            String text = "-----BEGIN CERTIFICATE-----\n"
                    + Base64.getMimeEncoder(64, new byte[] {'\n'})
                            .encodeToString(certificate(store).getEncoded())
                    + "\n-----END CERTIFICATE-----\n";
            return Files.writeString(folder.resolve("cert.pem"), text);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public static TrustManagerFactory trust(Store store) {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(load(store));
            return factory;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public static KeyManagerFactory key(Store store) {
        try {
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(load(store), PASSWORD.toCharArray());
            return factory;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Certificate certificate(Store store) throws GeneralSecurityException {
        return load(store).getCertificate("key");
    }

    private static KeyStore load(Store store) {
        try (InputStream in = Files.newInputStream(store.file())) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, store.password().toCharArray());
            return keys;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
