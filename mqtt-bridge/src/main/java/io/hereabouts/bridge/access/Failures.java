package io.hereabouts.bridge.access;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Addresses whose credentials were wrong too often of late: a bucket of {@value #BURST} that fills by {@value #A_SECOND} a
 * second. Remembers {@value #ADDRESSES} addresses, the last ones. Time is an argument in milliseconds. Thread-safe.
 */
public final class Failures {

    static final int BURST = 50;
    static final int A_SECOND = 5;
    static final int ADDRESSES = 10_000;

    private record Bucket(double used, long at) {}

    private final Map<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
            return size() > ADDRESSES;
        }
    };

    /** Whether an address has used up its failures. */
    public synchronized boolean tooMany(String address, long now) {
        return used(address, now) > BURST - 1;
    }

    /** One more. */
    public synchronized void failed(String address, long now) {
        buckets.put(address, new Bucket(used(address, now) + 1, now));
    }

    private double used(String address, long now) {
        Bucket bucket = buckets.get(address);
        return bucket == null ? 0 : Math.max(0, bucket.used() - (now - bucket.at()) / 1_000.0 * A_SECOND);
    }
}
