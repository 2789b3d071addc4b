package io.hereabouts.model.index;

import java.util.Arrays;

/** A stack of ints: the codes that may be used again. Not thread-safe. */
final class IntStack {

    private int[] values = new int[8];
    private int size;

    void push(int value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
        }
        values[size++] = value;
    }

    int pop() {
        return values[--size];
    }

    boolean isEmpty() {
        return size == 0;
    }

    long heapBytes() {
        return 16 + 4L * values.length;
    }
}
