package io.hereabouts.testkit.postgis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A PostgreSQL cluster of our own in a temporary folder: made by {@code initdb}, deleted when closed, at the latest when the
 * JVM ends. PostgreSQL refuses to run as root, so root lends it the user {@code postgres}. It trusts local connections,
 * listens on the loopback address only and does without fsync: its data is worth nothing to anybody else. For one thread.
 */
public final class PrivateCluster implements AutoCloseable {

    private static final int PORT_ATTEMPTS = 5;
    private static final String OWNER = "postgres";

    private final boolean root;
    private final Path bin;
    private final Path folder;
    private final int port;
    private final Thread atEnd = new Thread(this::remove);

    private PrivateCluster(boolean root, Path bin, Path folder, int port) {
        this.root = root;
        this.bin = bin;
        this.folder = folder;
        this.port = port;
    }

    /**
     * Makes one and starts it.
     *
     * @throws PostgisMissingException if PostgreSQL is not installed or does not start
     */
    public static PrivateCluster start() throws PostgisMissingException {
        Path bin = binaries();
        boolean root = System.getProperty("user.name").equals("root");
        try {
            Path folder = Files.createTempDirectory("hereabouts-postgis");
            if (root) {
                Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
                Files.setOwner(
                        folder,
                        folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(OWNER));
            }
            Path data = folder.resolve("data");
            must(
                    root,
                    bin.resolve("initdb"),
                    "-D",
                    data,
                    "-U",
                    OWNER,
                    "-A",
                    "trust",
                    "-E",
                    "UTF8",
                    "--locale=C.UTF-8",
                    "-N");
            PrivateCluster cluster = new PrivateCluster(root, bin, folder, startServer(root, bin, folder));
            Runtime.getRuntime().addShutdownHook(cluster.atEnd);
            return cluster;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The server ends at once, as if it had been killed; its data stays. */
    public void stop() {
        run(root, bin.resolve("pg_ctl"), "stop", "-m", "immediate", "-D", folder.resolve("data"));
    }

    /**
     * Starts it again, on the same port.
     *
     * @throws PostgisMissingException if it does not start
     */
    public void startAgain() throws PostgisMissingException {
        Command.Result result = startOn(root, bin, folder, port);
        if (result.exitCode() != 0) {
            throw new PostgisMissingException("the server in " + folder + " does not start (" + result.output() + ")");
        }
    }

    /** A new database with the extension {@code postgis}; its JDBC URL without user and password. */
    public String newDatabase(String name) {
        psql().run("postgres", "CREATE DATABASE " + name);
        psql().run(name, "CREATE EXTENSION postgis");
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + name;
    }

    /** Who owns all databases, without password. */
    public String user() {
        return OWNER;
    }

    Psql psql() {
        return new Psql(bin.resolve("psql").toString(), "127.0.0.1", port, OWNER, "");
    }

    @Override
    public void close() {
        remove();
        try {
            Runtime.getRuntime().removeShutdownHook(atEnd);
        } catch (IllegalStateException e) {
            // the JVM is ending, and the hook finds nothing to remove
        }
    }

    private synchronized void remove() {
        if (!Files.exists(folder)) {
            return;
        }
        stop();
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Another process may take the free port before the server does: then the next one. */
    private static int startServer(boolean root, Path bin, Path folder) throws IOException, PostgisMissingException {
        Command.Result result = new Command.Result(0, "");
        for (int attempt = 0; attempt < PORT_ATTEMPTS; attempt++) {
            int port = freePort();
            result = startOn(root, bin, folder, port);
            if (result.exitCode() == 0) {
                return port;
            }
        }
        throw new PostgisMissingException("the server in " + folder + " does not start (" + result.output() + ")");
    }

    private static Command.Result startOn(boolean root, Path bin, Path folder, int port) {
        return run(
                root,
                bin.resolve("pg_ctl"),
                "start",
                "-w",
                "-D",
                folder.resolve("data"),
                "-l",
                folder.resolve("log"),
                "-o",
                "-p " + port + " -k " + folder + " -c listen_addresses=127.0.0.1 -c fsync=off"
                        + " -c synchronous_commit=off -c full_page_writes=off -c shared_buffers=64MB");
    }

    private static Path binaries() throws PostgisMissingException {
        Path debian = Path.of("/usr/lib/postgresql");
        List<Path> candidates = new ArrayList<>();
        if (Files.isDirectory(debian)) {
            try (Stream<Path> versions = Files.list(debian)) {
                versions.sorted(Comparator.reverseOrder())
                        .map(v -> v.resolve("bin"))
                        .forEach(candidates::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            candidates.add(Path.of(folder));
        }
        return candidates.stream()
                .filter(c -> Files.isExecutable(c.resolve("initdb")) && Files.isExecutable(c.resolve("pg_ctl")))
                .findFirst()
                .orElseThrow(() -> new PostgisMissingException("no initdb in /usr/lib/postgresql/*/bin or the PATH"));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void must(boolean root, Object... command) throws PostgisMissingException {
        Command.Result result = run(root, command);
        if (result.exitCode() != 0) {
            throw new PostgisMissingException(command[0] + " failed (" + result.output() + ")");
        }
    }

    private static Command.Result run(boolean root, Object... command) {
        List<String> words = new ArrayList<>(root ? List.of("runuser", "-u", OWNER, "--") : List.of());
        for (Object word : command) {
            words.add(word.toString());
        }
        return Command.run(words, Map.of("LC_ALL", "C.UTF-8"));
    }
}
