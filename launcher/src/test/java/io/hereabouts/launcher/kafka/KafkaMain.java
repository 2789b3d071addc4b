package io.hereabouts.launcher.kafka;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.Properties;

/**
 * A broker as a process of its own: folder, port, then for each further listener its port and the port that it tells
 * clients to come to. Prints {@code ready}; ends when standard input does, so that it does not outlive its test.
 */
public final class KafkaMain {

    private KafkaMain() {}

    public static void main(String[] args) throws Exception {
        EmbeddedKafka kafka =
                EmbeddedKafka.launch(Path.of(args[0]), Integer.parseInt(args[1]), settings -> lines(settings, args));
        Runtime.getRuntime().addShutdownHook(new Thread(kafka::close));
        System.out.println("ready");
        try (InputStream in = System.in) {
            while (in.read() >= 0) {
                // lives until the test is gone, or stops it
            }
        }
        Runtime.getRuntime().halt(0);
    }

    private static void lines(Properties settings, String[] args) {
        settings.put("group.min.session.timeout.ms", "1000");
        settings.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "500");
        for (int i = 2; i < args.length; i += 2) {
            String listener = "LINE" + i / 2;
            append(settings, "listeners", listener + "://127.0.0.1:" + args[i]);
            append(settings, "advertised.listeners", listener + "://127.0.0.1:" + args[i + 1]);
            append(settings, "listener.security.protocol.map", listener + ":PLAINTEXT");
        }
    }

    private static void append(Properties settings, String key, String value) {
        settings.put(key, settings.getProperty(key) + "," + value);
    }
}
