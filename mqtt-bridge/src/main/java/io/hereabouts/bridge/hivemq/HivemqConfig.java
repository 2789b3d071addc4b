package io.hereabouts.bridge.hivemq;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Node;

/**
 * What an edge depends on in the {@code config.xml} of a HiveMQ that is not its own. HiveMQ does not tell an extension, so
 * the file is read; where it says nothing, HiveMQ's default holds.
 */
public final class HivemqConfig {

    /** What a text in the file means once {@code ${NAME}} and {@code ${ENV:NAME}} are replaced, as HiveMQ does it. */
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{(?:ENV:)?([^}]*)}");

    private final Path file;
    private final Document document;
    private final Function<String, @Nullable String> variables;

    private HivemqConfig(Path file, Document document, Function<String, @Nullable String> variables) {
        this.file = file;
        this.document = document;
        this.variables = variables;
    }

    /**
     * Reads the file.
     *
     * @param variables the value of a variable, or null
     * @throws IllegalStateException if it is not there or is not XML: HiveMQ would then listen as it likes
     */
    public static HivemqConfig read(Path file, Function<String, @Nullable String> variables) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            try (var in = Files.newInputStream(file)) {
                return new HivemqConfig(file, factory.newDocumentBuilder().parse(in), variables);
            }
        } catch (Exception e) {
            throw new IllegalStateException(file + " cannot be read: " + e, e);
        }
    }

    /** Whether sessions outlive HiveMQ. */
    public boolean keepsSessions() {
        return text("file", "persistence", "mode").equals("file");
    }

    /**
     * What an edge cannot live with, a line each; empty if there is nothing.
     *
     * @param queueLimit messages that HiveMQ must be ready to queue for a client
     */
    public List<String> problems(int queueLimit) {
        List<String> problems = new ArrayList<>();
        if (number(problems, "1000", "mqtt", "queued-messages", "max-queue-size") < queueLimit) {
            problems.add(file + ": mqtt/queued-messages/max-queue-size is '"
                    + text("1000", "mqtt", "queued-messages", "max-queue-size") + "', expected at least " + queueLimit
                    + ": HiveMQ would drop deliveries that nobody counts");
        }
        String strategy = text("discard", "mqtt", "queued-messages", "strategy");
        if (!strategy.equals("discard")) {
            problems.add(file + ": mqtt/queued-messages/strategy is '" + strategy
                    + "', expected 'discard': HiveMQ would drop deliveries that were counted as delivered");
        }
        return problems;
    }

    /**
     * What makes it slow, a line each; empty if there is nothing.
     *
     * @param receiveMaximum unacknowledged PUBLISHes that a client should be allowed
     */
    public List<String> warnings(int receiveMaximum) {
        List<String> warnings = new ArrayList<>();
        long found = number(warnings, "10", "mqtt", "receive-maximum", "server-receive-maximum");
        if (found < receiveMaximum) {
            warnings.add(file + ": mqtt/receive-maximum/server-receive-maximum is '" + found + "', expected "
                    + receiveMaximum + ": a publisher has that many QoS 1 messages on their way to Kafka at most");
        }
        return warnings;
    }

    private long number(List<String> problems, String fallback, String... path) {
        String text = text(fallback, path);
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            problems.add(file + ": " + String.join("/", path) + " is '" + text + "', expected a number");
            return Long.MAX_VALUE;
        }
    }

    private String text(String fallback, String... path) {
        Node node = document.getDocumentElement();
        for (String name : path) {
            node = node == null ? null : child(node, name);
        }
        return node == null ? fallback : replaced(node.getTextContent()).strip();
    }

    private static @Nullable Node child(Node parent, String name) {
        for (Node child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (name.equals(child.getNodeName())) {
                return child;
            }
        }
        return null;
    }

    private String replaced(String text) {
        return PLACEHOLDER.matcher(text).replaceAll(match -> {
            String value = variables.apply(match.group(1));
            return Matcher.quoteReplacement(value == null ? match.group() : value);
        });
    }
}
