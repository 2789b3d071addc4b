package io.hereabouts.schemas.kafka;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.RequestHeader;

/**
 * Stands before a broker and is, for the first Produce request of all that come through it, what a broker is to a topic
 * that was just created: not its leader yet. It says so when the next Produce request has come, or after a second; that
 * one and all later ones it passes on. Clients find no other way to the broker: its port is replaced in all answers.
 * Thread-safe.
 */
final class NewTopicProxy implements AutoCloseable {

    private static final byte[] HOST = "localhost".getBytes(StandardCharsets.UTF_8);
    private static final long PATIENCE_MS = 1_000;

    private final int broker;
    private final ServerSocket server;
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "new-topic-proxy");
        thread.setDaemon(true);
        return thread;
    });
    private final CountDownLatch first = new CountDownLatch(1);
    private boolean armed = true;

    private NewTopicProxy(int broker) throws IOException {
        this.broker = broker;
        this.server = new ServerSocket(0, 50, InetAddress.getByName("localhost"));
    }

    /** A proxy before the broker that listens on this port of localhost. */
    static NewTopicProxy before(int broker) throws IOException {
        NewTopicProxy proxy = new NewTopicProxy(broker);
        proxy.threads.execute(proxy::accept);
        return proxy;
    }

    String bootstrapServers() {
        return "localhost:" + server.getLocalPort();
    }

    /** Waits until the first Produce request has come; it is not answered yet then, unless a second has passed. */
    boolean awaitFirst(long seconds) throws InterruptedException {
        return first.await(seconds, TimeUnit.SECONDS);
    }

    private synchronized boolean isFirst() {
        boolean was = armed;
        armed = false;
        return was;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Line line = new Line(server.accept(), new Socket("localhost", broker));
                threads.execute(line::requests);
                threads.execute(line::answers);
            } catch (IOException e) {
                // the server socket was closed
            }
        }
    }

    /** A client's connection and its other half to the broker. */
    private final class Line {
        private final Socket client;
        private final Socket upstream;
        /** Requests that the broker has not answered: answers have to come in order. */
        private int unanswered;

        Line(Socket client, Socket upstream) {
            this.client = client;
            this.upstream = upstream;
        }

        void requests() {
            try (client;
                    upstream) {
                DataInputStream in = new DataInputStream(client.getInputStream());
                DataOutputStream out = new DataOutputStream(upstream.getOutputStream());
                while (true) {
                    byte[] request = frame(in);
                    if (isProduce(request) && isFirst()) {
                        first.countDown();
                        List<byte[]> held = untilNextProduce(in);
                        refuse(request);
                        for (byte[] next : held) {
                            passOn(next, out);
                        }
                    } else {
                        passOn(request, out);
                    }
                }
            } catch (IOException | InterruptedException e) {
                // the client is gone
            }
        }

        /** Answers come in the order of requests, so nothing is passed on before the first one is answered. */
        private List<byte[]> untilNextProduce(DataInputStream in) throws IOException {
            List<byte[]> held = new ArrayList<>();
            client.setSoTimeout((int) PATIENCE_MS);
            try {
                do {
                    held.add(frame(in));
                } while (!isProduce(held.get(held.size() - 1)));
            } catch (SocketTimeoutException e) {
                // no other request comes before this one is answered
            }
            client.setSoTimeout(0);
            return held;
        }

        private void passOn(byte[] request, DataOutputStream out) throws IOException {
            synchronized (this) {
                unanswered++;
            }
            out.writeInt(request.length);
            out.write(request);
            out.flush();
        }

        void answers() {
            try (client;
                    upstream) {
                DataInputStream in = new DataInputStream(upstream.getInputStream());
                while (true) {
                    byte[] answer = frame(in);
                    replacePort(answer);
                    synchronized (this) {
                        send(answer);
                        unanswered--;
                        notifyAll();
                    }
                }
            } catch (IOException e) {
                // the broker or the client is gone
            }
        }

        private synchronized void refuse(byte[] request) throws IOException, InterruptedException {
            while (unanswered > 0) {
                wait();
            }
            ByteBuffer bytes = ByteBuffer.wrap(request);
            RequestHeader header = RequestHeader.parse(bytes);
            short version = header.apiVersion();
            ProduceRequestData produce = new ProduceRequestData(new ByteBufferAccessor(bytes), version);
            ProduceResponseData refusal = new ProduceResponseData();
            for (ProduceRequestData.TopicProduceData topic : produce.topicData()) {
                ProduceResponseData.TopicProduceResponse refused = new ProduceResponseData.TopicProduceResponse()
                        .setName(topic.name())
                        .setTopicId(topic.topicId());
                topic.partitionData().forEach(partition -> refused.partitionResponses()
                        .add(new ProduceResponseData.PartitionProduceResponse()
                                .setIndex(partition.index())
                                .setErrorCode(Errors.NOT_LEADER_OR_FOLLOWER.code())));
                refusal.responses().add(refused);
            }
            byte[] head = bytes(
                    new ResponseHeaderData().setCorrelationId(header.correlationId()),
                    ApiKeys.PRODUCE.responseHeaderVersion(version));
            byte[] body = bytes(refusal, version);
            send(ByteBuffer.allocate(head.length + body.length)
                    .put(head)
                    .put(body)
                    .array());
        }

        private void send(byte[] answer) throws IOException {
            DataOutputStream out = new DataOutputStream(client.getOutputStream());
            out.write(ByteBuffer.allocate(Integer.BYTES + answer.length)
                    .putInt(answer.length)
                    .put(answer)
                    .array());
            out.flush();
        }
    }

    private static byte[] bytes(Message message, short version) {
        ByteBuffer buffer = MessageUtil.toByteBufferAccessor(message, version).buffer();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    private static byte[] frame(DataInputStream in) throws IOException {
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        return frame;
    }

    private static boolean isProduce(byte[] request) {
        return ByteBuffer.wrap(request).getShort() == ApiKeys.PRODUCE.id;
    }

    /** The port stands behind the host, as four bytes. */
    private void replacePort(byte[] answer) {
        ByteBuffer bytes = ByteBuffer.wrap(answer);
        for (int i = 0; i + HOST.length + Integer.BYTES <= answer.length; i++) {
            if (ByteBuffer.wrap(answer, i, HOST.length).equals(ByteBuffer.wrap(HOST))
                    && bytes.getInt(i + HOST.length) == broker) {
                bytes.putInt(i + HOST.length, server.getLocalPort());
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        threads.shutdownNow();
    }
}
