package io.hereabouts.schemas.ops;

import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A process' metrics and health over HTTP: {@code /metrics} in Prometheus' text format, {@code /health/live} and
 * {@code /health/ready}, and what its components tell of single things. Opened before anything else of a process is started and closed after it, so that there is an
 * answer while it starts and while it stops. Thread-safe.
 */
public final class OpsEndpoint implements AutoCloseable {

    /** So many that liveness is told while others wait for readiness, which asks Kafka and the database. */
    private static final int THREADS = 16;

    /** The JDK's server waits for the rest of a request as long as the client likes if it is not told otherwise. */
    private static final String REQUEST_TIMEOUT = "sun.net.httpserver.maxReqTime";

    private static final String REQUEST_TIMEOUT_SECONDS = "5";

    private final HttpServer server;
    private final ExecutorService threads;
    private final OpsHandler handler;
    private final PrometheusMeterRegistry registry;
    private final JvmGcMetrics collections;

    private OpsEndpoint(HttpServer server, ProcessHealth health) {
        this.server = server;
        this.registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        this.collections = new JvmGcMetrics();
        collections.bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        AtomicInteger number = new AtomicInteger();
        this.threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "hereabouts-http-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(threads);
        this.handler = new OpsHandler(registry, health);
        server.createContext("/", handler);
        server.start();
    }

    /**
     * Begins to answer.
     *
     * @throws IOException if it cannot listen there, naming the settings
     */
    public static OpsEndpoint open(OpsAddress address, ProcessHealth health) throws IOException {
        if (System.getProperty(REQUEST_TIMEOUT) == null) {
            System.setProperty(REQUEST_TIMEOUT, REQUEST_TIMEOUT_SECONDS);
        }
        InetSocketAddress at = new InetSocketAddress(address.host(), address.port());
        if (at.isUnresolved()) {
            throw new IOException("http.host is '" + address.host() + "', which is no address of this machine");
        }
        try {
            return new OpsEndpoint(HttpServer.create(at, 0), health);
        } catch (BindException e) {
            throw new IOException(
                    "cannot listen on " + address.host() + ":" + address.port()
                            + " (http.host, http.port; 0: any free port): " + e.getMessage(),
                    e);
        }
    }

    /** Where the process' components count; has the JVM's meters. */
    public MeterRegistry metrics() {
        return registry;
    }

    /**
     * From now on {@code path?id=ID} answers, too.
     *
     * @param path such as {@code /clients}
     */
    public void lookUp(String path, Lookup lookup) {
        handler.lookUp(path, lookup);
    }

    /** The port it listens on. */
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        collections.close();
        registry.close();
    }
}
