package io.hereabouts.bridge;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A client that sends what no client library would. */
final class RawMqtt implements Closeable {

    private final Socket socket;

    /** @param from address of this machine, any of 127.0.0.0/8 */
    RawMqtt(int port, String from) throws IOException {
        socket = new Socket(InetAddress.getByName("localhost"), port, InetAddress.getByName(from), 0);
        socket.setSoTimeout(20_000);
    }

    /** A CONNECT with clean start. */
    void connect(byte[] clientId, String user, String password, byte[] properties) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream body = new DataOutputStream(bytes);
        text(body, "MQTT".getBytes(StandardCharsets.UTF_8));
        body.writeByte(5);
        body.writeByte(0xC2);
        body.writeShort(60);
        varint(body, properties.length);
        body.write(properties);
        text(body, clientId);
        text(body, user.getBytes(StandardCharsets.UTF_8));
        text(body, password.getBytes(StandardCharsets.UTF_8));
        send(0x10, bytes.toByteArray());
    }

    void send(int type, byte[] body) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream packet = new DataOutputStream(bytes);
        packet.writeByte(type);
        varint(packet, body.length);
        packet.write(body);
        try {
            socket.getOutputStream().write(bytes.toByteArray());
        } catch (SocketException e) {
            // the broker has read enough and closed the connection: reason() tells
        }
    }

    /** A SUBSCRIBE to these at QoS 0. */
    void subscribe(String... filters) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream body = new DataOutputStream(bytes);
        body.writeShort(1);
        body.writeByte(0);
        for (String filter : filters) {
            text(body, filter.getBytes(StandardCharsets.UTF_8));
            body.writeByte(0);
        }
        send(0x82, bytes.toByteArray());
    }

    /** A SUBSCRIBE to one, with these options as MQTT has them in a byte. */
    void subscribe(byte[] properties, String filter, int options) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream body = new DataOutputStream(bytes);
        body.writeShort(1);
        varint(body, properties.length);
        body.write(properties);
        text(body, filter.getBytes(StandardCharsets.UTF_8));
        body.writeByte(options);
        send(0x82, bytes.toByteArray());
    }

    /** A PUBLISH at QoS 2 about an entity; returns the type of the packet that answers it. */
    int publishQos2(int packetId, String topic, String entity, String payload) throws IOException {
        ByteArrayOutputStream properties = new ByteArrayOutputStream();
        DataOutputStream property = new DataOutputStream(properties);
        property.writeByte(0x26);
        text(property, "entity".getBytes(StandardCharsets.UTF_8));
        text(property, entity.getBytes(StandardCharsets.UTF_8));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream body = new DataOutputStream(bytes);
        text(body, topic.getBytes(StandardCharsets.UTF_8));
        body.writeShort(packetId);
        varint(body, properties.size());
        body.write(properties.toByteArray());
        body.write(payload.getBytes(StandardCharsets.UTF_8));
        send(0x34, bytes.toByteArray());
        return socket.getInputStream().read() >> 4;
    }

    /** The reason codes at the end of the SUBACK that comes, so many of them; empty if the connection is ended. */
    List<Integer> granted(int count) throws IOException {
        InputStream in = socket.getInputStream();
        if (in.read() != 0x90) {
            return List.of();
        }
        int length = 0;
        for (int shift = 0, next = 0x80; next >= 0x80; shift += 7) {
            next = in.read();
            length |= (next & 0x7F) << shift;
        }
        byte[] body = in.readNBytes(length);
        List<Integer> codes = new ArrayList<>();
        for (int i = body.length - count; i < body.length; i++) {
            codes.add(body[i] & 0xFF);
        }
        return codes;
    }

    /** The reason code of the CONNACK or DISCONNECT that comes; -1 if the connection is closed without. */
    int reason() throws IOException {
        try {
            InputStream in = socket.getInputStream();
            int type = in.read();
            if (type < 0) {
                return -1;
            }
            int length = 0;
            for (int shift = 0; ; shift += 7) {
                int next = in.read();
                length |= (next & 0x7F) << shift;
                if (next < 0x80) {
                    break;
                }
            }
            byte[] body = in.readNBytes(length);
            return body[type >> 4 == 2 ? 1 : 0] & 0xFF;
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            return -1;
        }
    }

    /** User properties, so many of them. */
    static byte[] userProperties(int count, String name, String value) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream body = new DataOutputStream(bytes);
            for (int i = 0; i < count; i++) {
                body.writeByte(0x26);
                text(body, name.getBytes(StandardCharsets.UTF_8));
                text(body, value.getBytes(StandardCharsets.UTF_8));
            }
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void text(DataOutputStream out, byte[] text) throws IOException {
        out.writeShort(text.length);
        out.write(text);
    }

    private static void varint(DataOutputStream out, int value) throws IOException {
        int left = value;
        do {
            out.writeByte(left > 0x7F ? (left & 0x7F) | 0x80 : left);
            left >>>= 7;
        } while (left > 0);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
