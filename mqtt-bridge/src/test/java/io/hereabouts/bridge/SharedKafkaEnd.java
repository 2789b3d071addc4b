package io.hereabouts.bridge;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Stops the Kafka that all tests share when the last of them has ended. Left to itself it would see its files deleted
 * while it runs, and then halts the JVM with exit code 1.
 */
public final class SharedKafkaEnd implements BeforeAllCallback {

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot().getStore(Namespace.create(SharedKafkaEnd.class)).getOrComputeIfAbsent("end", key ->
                (AutoCloseable) EdgeStack.SharedKafka::stop);
    }
}
