package io.hereabouts.bridge.delivery;

/** Takes no notice of what becomes of copies; for tests that look at some of it. */
public class SilentOutput implements ClientDeliveries.Output {

    @Override
    public void send(Outgoing message, long token) {}

    @Override
    public void handedOver(Outgoing message, long now) {}

    @Override
    public void delivered(int qos) {}

    @Override
    public void dropped(Outgoing message, String reason) {}

    @Override
    public void left(Outgoing message, String reason, long now) {}

    @Override
    public void overflowed(String client) {}
}
