package io.hereabouts.launcher.device;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Trust in one certificate, as a client in a JVM has it. */
public record Trust(TrustManagerFactory managers) {

    /** @param certificate file in PEM */
    public static Trust in(String certificate) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (InputStream in = Files.newInputStream(Path.of(certificate))) {
            store.setCertificateEntry(
                    "edge", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(store);
        return new Trust(managers);
    }

    /** For sockets of the JDK's. */
    public SSLContext context() throws Exception {
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, managers.getTrustManagers(), null);
        return tls;
    }
}
