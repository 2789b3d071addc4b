package io.hereabouts.perf.index;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@code HashMap<String, int[]>}: what somebody writes first. It cannot remove a neighborhood without reading all. */
final class MapContender implements IndexContender {

    private static final int[] NONE = {};

    private final Map<String, int[]> neighborhoods = new HashMap<>();

    @Override
    public void add(int neighborhood, List<byte[]> entities) {
        for (byte[] entity : entities) {
            neighborhoods.merge(string(entity), new int[] {neighborhood}, MapContender::joined);
        }
    }

    private static int[] joined(int[] known, int[] added) {
        int[] joined = Arrays.copyOf(known, known.length + 1);
        joined[known.length] = added[0];
        return joined;
    }

    @Override
    public int find(byte[] entity) {
        return neighborhoods.getOrDefault(string(entity), NONE).length;
    }

    @Override
    public long sum(byte[] entity) {
        long sum = 0;
        for (int neighborhood : neighborhoods.getOrDefault(string(entity), NONE)) {
            sum += IndexShape.handle(neighborhood);
        }
        return sum;
    }

    private static String string(byte[] entity) {
        return new String(entity, StandardCharsets.UTF_8);
    }
}
