package io.hereabouts.testkit.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * A TCP proxy whose line can fail in two ways until it is mended: cut, its connections end and new ones are closed at
 * once; silent, nothing passes and nobody is told, as where a network loses packets. What was under way when it fell
 * silent arrives when it is mended, as it does with TCP. Thread-safe.
 */
public final class CutableProxy implements AutoCloseable {

    private final String host;
    private final int target;
    private final ServerSocket server;
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "cutable-proxy");
        thread.setDaemon(true);
        return thread;
    });
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;
    private boolean silent;

    private CutableProxy(String host, int target) throws IOException {
        this.host = host;
        this.target = target;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    /** A proxy on a free port of the loopback address. */
    public static CutableProxy to(String host, int port) throws IOException {
        CutableProxy proxy = new CutableProxy(host, port);
        proxy.threads.execute(proxy::accept);
        return proxy;
    }

    public int port() {
        return server.getLocalPort();
    }

    /** Ends all connections and lets no new one through. */
    public synchronized void cut() {
        cut = true;
        open.forEach(CutableProxy::close);
        open.clear();
    }

    /** Keeps connections open and lets nothing through. */
    public synchronized void silence() {
        silent = true;
    }

    /** Lets everything through again. */
    public synchronized void mend() {
        cut = false;
        silent = false;
        notifyAll();
    }

    private synchronized void awaitLine() throws IOException {
        try {
            while (silent && !server.isClosed()) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                awaitLine();
                connect(client);
            } catch (IOException | RejectedExecutionException e) {
                // the proxy was closed, or the target is away: the client sees its connection end
            }
        }
    }

    private void connect(Socket client) throws IOException {
        Socket upstream;
        synchronized (this) {
            if (cut) {
                close(client);
                return;
            }
            try {
                upstream = new Socket(host, target);
            } catch (IOException e) {
                close(client);
                throw e;
            }
            open.add(client);
            open.add(upstream);
        }
        threads.execute(() -> pump(client, upstream));
        threads.execute(() -> pump(upstream, client));
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[8192];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                awaitLine();
                out.write(buffer, 0, n);
                out.flush();
            }
            awaitLine();
        } catch (IOException e) {
            // one side is gone, so the other goes as well
        } finally {
            close(from);
            close(to);
            open.remove(from);
            open.remove(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is gone, which is what was wanted
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        cut();
        mend();
        threads.shutdownNow();
    }
}
