package io.hereabouts.testkit.postgis;

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

/**
 * A TCP proxy whose line can be cut: then its connections end and new ones are closed at once, until it is mended.
 * Thread-safe.
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

    /** Lets new connections through. */
    public synchronized void mend() {
        cut = false;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                connect(server.accept());
            } catch (IOException e) {
                // the server socket was closed, or the target is away: the client sees its connection end
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
            open.add(client);
            upstream = new Socket(host, target);
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
                out.write(buffer, 0, n);
                out.flush();
            }
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
        threads.shutdownNow();
    }
}
