package io.hereabouts.schemas.descriptor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hereabouts.model.entity.Utf16;
import io.hereabouts.model.neighborhood.InvalidDescriptorException;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Whatever text a client sends is a descriptor or is refused with a JSON path, soon. The system property
 * {@code hereabouts.schemas.fuzz} says how many texts.
 */
class DescriptorFuzzTest {

    private static final int TEXTS = Integer.getInteger("hereabouts.schemas.fuzz", 20_000);
    private static final long MOST_NANOS = 1_000_000_000;
    private static final int MOST_CHARACTERS = 400;
    private static final Pattern PATH = Pattern.compile("\\$(\\.[a-z]+|\\[\\d+])*");

    private final DescriptorParser parser = new DescriptorParser(DescriptorLimits.DEFAULT);
    /** A canonical text may be longer than what was sent. */
    private final DescriptorParser patient = new DescriptorParser(new DescriptorLimits(1 << 20, 8, 1_000, 100, 16));

    private final ObjectMapper json = new ObjectMapper();
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private int taken;
    private long slowest;

    @Test
    void shouldTakeOrRefuseWhateverIsSent() {
        fuzz(1, TEXTS);
        System.out.printf(
                Locale.ROOT,
                "DescriptorFuzzTest: %d texts, %d taken, slowest %.1f ms of CPU%n",
                TEXTS,
                taken,
                slowest / 1e6);
        assertThat(taken).as("both answers must occur").isBetween(TEXTS / 10, TEXTS * 9 / 10);
    }

    @Test
    void shouldTakeOrRefuseWhateverIsSentForNewSeed() {
        long seed = new Random().nextLong();
        System.out.println("DescriptorFuzzTest random seed " + seed);
        fuzz(seed, 1_000);
    }

    private void fuzz(long seed, int count) {
        FuzzedDescriptors texts = new FuzzedDescriptors(seed);
        for (int i = 0; i < count; i++) {
            String text = texts.next();
            try {
                look(text);
            } catch (RuntimeException | StackOverflowError | AssertionError e) {
                throw new AssertionError("seed " + seed + ", text " + i + ": " + text, e);
            }
        }
    }

    private void look(String text) {
        long begin = threads.getCurrentThreadCpuTime();
        try {
            NeighborhoodDescriptor descriptor = parser.parse(text);
            noteTime(begin);
            taken++;
            lookAtTaken(descriptor);
        } catch (InvalidDescriptorException e) {
            noteTime(begin);
            lookAtRefusal(e, text);
        }
    }

    /** It can be sent on as bytes and read again, and is the same neighborhood then. */
    private void lookAtTaken(NeighborhoodDescriptor descriptor) {
        byte[] sent = descriptor.canonicalText().getBytes(StandardCharsets.UTF_8);
        try {
            NeighborhoodDescriptor again = patient.parse(new String(sent, StandardCharsets.UTF_8));
            assertThat(again).isEqualTo(descriptor);
            assertThat(again.id()).isEqualTo(descriptor.id());
        } catch (InvalidDescriptorException e) {
            throw new AssertionError("its canonical text is refused: " + descriptor.canonicalText(), e);
        }
    }

    private void lookAtRefusal(InvalidDescriptorException e, String text) {
        assertThat(PATH.matcher(e.path()).matches()).as(e.path()).isTrue();
        assertThat(e.getMessage())
                .startsWith(e.path() + ": ")
                .hasSizeLessThan(MOST_CHARACTERS)
                .matches(message -> message.chars().noneMatch(Character::isISOControl), "no control characters")
                .matches(message -> Utf16.unpairedSurrogate(message) < 0, "no half characters");
        assertThat(leadsSomewhere(e.path(), text)).as(e.path()).isTrue();
    }

    private void noteTime(long begin) {
        long nanos = threads.getCurrentThreadCpuTime() - begin;
        slowest = Math.max(slowest, nanos);
        assertThat(nanos).as("CPU time").isLessThan(MOST_NANOS);
    }

    /** True if the path is in the text, or what is missing there would be. */
    private boolean leadsSomewhere(String path, String text) {
        if (path.equals("$")) {
            return true;
        }
        try {
            JsonNode root = json.readTree(text);
            JsonPointer pointer = JsonPointer.compile(
                    path.substring(1).replace('.', '/').replace('[', '/').replace("]", ""));
            return !root.at(pointer).isMissingNode() || !root.at(pointer.head()).isMissingNode();
        } catch (JsonProcessingException e) {
            return false;
        }
    }
}
