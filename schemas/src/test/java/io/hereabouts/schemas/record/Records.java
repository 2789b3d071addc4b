package io.hereabouts.schemas.record;

import io.hereabouts.schemas.avro.Applied;
import io.hereabouts.schemas.avro.Delivery;
import io.hereabouts.schemas.avro.EdgeLease;
import io.hereabouts.schemas.avro.EdgeRemoval;
import io.hereabouts.schemas.avro.Entity;
import io.hereabouts.schemas.avro.FilterInterest;
import io.hereabouts.schemas.avro.FilterPosition;
import io.hereabouts.schemas.avro.Growth;
import io.hereabouts.schemas.avro.InterestRequest;
import io.hereabouts.schemas.avro.NeighborhoodStatus;
import io.hereabouts.schemas.avro.Owner;
import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.avro.Resolved;
import io.hereabouts.schemas.avro.SessionClaim;
import io.hereabouts.schemas.avro.Slice;
import io.hereabouts.schemas.avro.Subscription;
import io.hereabouts.schemas.avro.UserProperty;
import io.hereabouts.schemas.avro.Will;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;

/** Seeded random records of every kind. */
final class Records {

    /** The highest id. */
    static final int HIGHEST = 18;

    /** Ids that nothing is written with any more. */
    private static final Set<Integer> RETIRED = Set.of(7, 11);

    private Records() {}

    /** The ids that there is a record of. */
    static IntStream kinds() {
        return IntStream.rangeClosed(1, HIGHEST).filter(id -> !RETIRED.contains(id));
    }

    static SpecificRecord random(SplittableRandom r, int kind) {
        return switch (kind) {
            case SchemaIds.PUBLICATION -> publication(r);
            case SchemaIds.INTEREST_REQUEST -> new InterestRequest(text(r), number(r));
            case SchemaIds.SLICE -> new Slice(number(r), number(r), number(r), integer(r), integer(r), bytes(r));
            case SchemaIds.FILTER_INTEREST -> new FilterInterest(number(r), number(r), number(r));
            case SchemaIds.OWNER -> new Owner(text(r));
            case SchemaIds.DELIVERY ->
                new Delivery(integer(r), integer(r), number(r), number(r), list(r, () -> number(r)), bytes(r));
            case SchemaIds.RESOLVED ->
                new Resolved(
                        number(r),
                        integer(r),
                        text(r),
                        number(r),
                        integer(r),
                        list(r, () -> new FilterPosition(integer(r), number(r))),
                        integer(r));
            case SchemaIds.APPLIED -> new Applied(integer(r), integer(r), number(r), number(r));
            case SchemaIds.ENTITY -> new Entity(number(r), list(r, () -> text(r)), r.nextBoolean() ? null : bytes(r));
            case SchemaIds.SUBSCRIPTION ->
                new Subscription(
                        text(r),
                        text(r),
                        text(r),
                        text(r),
                        text(r),
                        text(r),
                        integer(r),
                        r.nextBoolean(),
                        r.nextBoolean(),
                        integer(r),
                        r.nextBoolean() ? null : integer(r));
            case SchemaIds.EDGE_LEASE -> new EdgeLease(text(r), text(r), integer(r), number(r), integer(r), text(r));
            case SchemaIds.WILL -> new Will(text(r), number(r), bytes(r));
            case SchemaIds.SESSION_CLAIM ->
                new SessionClaim(text(r), text(r), number(r), r.nextBoolean() ? null : text(r), r.nextBoolean());
            case SchemaIds.EDGE_REMOVAL -> new EdgeRemoval(text(r), text(r));
            case SchemaIds.NEIGHBORHOOD_STATUS ->
                new NeighborhoodStatus(text(r), number(r), integer(r), list(r, () -> text(r)), text(r));
            case SchemaIds.GROWTH -> new Growth(integer(r), integer(r), integer(r), integer(r), r.nextBoolean());
            default -> throw new IllegalArgumentException("kind " + kind);
        };
    }

    static Publication publication(SplittableRandom r) {
        return new Publication(
                "t" + text(r),
                text(r),
                text(r),
                text(r),
                r.nextInt(3),
                r.nextBoolean(),
                number(r),
                r.nextBoolean() ? null : number(r),
                r.nextBoolean() ? null : r.nextInt(2),
                r.nextBoolean() ? null : text(r),
                r.nextBoolean() ? null : text(r),
                r.nextBoolean() ? null : bytes(r),
                list(r, () -> new UserProperty(text(r), text(r))),
                bytes(r));
    }

    static String text(SplittableRandom r) {
        StringBuilder out = new StringBuilder();
        for (int n = r.nextInt(12); n > 0; n--) {
            out.appendCodePoint(r.nextInt(4) == 0 ? r.nextInt(0x1f300, 0x1f600) : r.nextInt(0x20, 0x2ff));
        }
        return out.toString();
    }

    static long number(SplittableRandom r) {
        return switch (r.nextInt(5)) {
            case 0 -> Long.MIN_VALUE;
            case 1 -> Long.MAX_VALUE;
            case 2 -> 0;
            default -> r.nextLong() >> r.nextInt(64);
        };
    }

    static int integer(SplittableRandom r) {
        return switch (r.nextInt(5)) {
            case 0 -> Integer.MIN_VALUE;
            case 1 -> Integer.MAX_VALUE;
            default -> r.nextInt() >> r.nextInt(32);
        };
    }

    static ByteBuffer bytes(SplittableRandom r) {
        byte[] bytes = new byte[r.nextInt(8) == 0 ? r.nextInt(5_000) : r.nextInt(20)];
        r.nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private static <T> List<T> list(SplittableRandom r, Supplier<T> element) {
        List<T> list = new ArrayList<>();
        for (int n = r.nextInt(5); n > 0; n--) {
            list.add(element.get());
        }
        return list;
    }
}
