package io.hereabouts.perf.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NoteTest {

    @Test
    void shouldReadWhatItWrote() {
        Note note = new Note(-7, 3, 42, Long.MAX_VALUE);

        assertThat(note.payload(200)).hasSize(200);
        assertThat(Note.of(note.payload(200))).contains(note);
        assertThat(Note.of(note.payload(Note.BYTES))).contains(note);
    }

    @Test
    void shouldNotReadWhatIsTooShort() {
        assertThat(Note.of(new byte[Note.BYTES - 1])).isEmpty();
    }
}
