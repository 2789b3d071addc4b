package io.hereabouts.model.index;

import java.util.Arrays;

/** A stack of ints: codes that may be used again, or an answer that is filled again and again. Not thread-safe. */
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

    int get(int index) {
        return values[index];
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Makes it {@code newSize} long; the values, from index 0, are the caller's to be set. */
    int[] resized(int newSize) {
        if (newSize > values.length) {
            values = new int[newSize + newSize / 2];
        }
        size = newSize;
        return values;
    }

    long heapBytes() {
        return 16 + 4L * values.length;
    }
}
