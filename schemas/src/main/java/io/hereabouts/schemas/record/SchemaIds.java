package io.hereabouts.schemas.record;

import io.hereabouts.schemas.avro.Applied;
import io.hereabouts.schemas.avro.Delivery;
import io.hereabouts.schemas.avro.EdgeLease;
import io.hereabouts.schemas.avro.EdgeRemoval;
import io.hereabouts.schemas.avro.Entity;
import io.hereabouts.schemas.avro.FilterInterest;
import io.hereabouts.schemas.avro.Growth;
import io.hereabouts.schemas.avro.InterestRequest;
import io.hereabouts.schemas.avro.NeighborhoodStatus;
import io.hereabouts.schemas.avro.Owner;
import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.avro.Resolved;
import io.hereabouts.schemas.avro.SessionClaim;
import io.hereabouts.schemas.avro.Slice;
import io.hereabouts.schemas.avro.Subscription;
import io.hereabouts.schemas.avro.Will;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.Schema;

/**
 * The built-in table of schema ids. An id never changes its schema, and each is read one release before it is written: a
 * schema that gains a field gets a new id, which is in {@code NEXT} for one release; the release after that has it in
 * {@code CURRENT} and leaves the old one, with the old schema, to readers in {@code RETIRED}. So neighboring releases can
 * read each other, whichever is upgraded first (see the decision record on rolling upgrades).
 */
public final class SchemaIds {

    public static final int PUBLICATION = 1;
    public static final int INTEREST_REQUEST = 2;
    public static final int SLICE = 3;
    public static final int FILTER_INTEREST = 4;
    public static final int OWNER = 5;
    public static final int DELIVERY = 6;
    public static final int RESOLVED = 14;
    public static final int APPLIED = 8;
    public static final int ENTITY = 9;
    public static final int SUBSCRIPTION = 10;
    public static final int EDGE_LEASE = 15;
    public static final int NEIGHBORHOOD_STATUS = 12;
    public static final int GROWTH = 13;
    public static final int EDGE_REMOVAL = 16;
    public static final int WILL = 17;
    public static final int SESSION_CLAIM = 18;

    private static final Map<Integer, Schema> CURRENT = Map.ofEntries(
            Map.entry(PUBLICATION, Publication.getClassSchema()),
            Map.entry(INTEREST_REQUEST, InterestRequest.getClassSchema()),
            Map.entry(SLICE, Slice.getClassSchema()),
            Map.entry(FILTER_INTEREST, FilterInterest.getClassSchema()),
            Map.entry(OWNER, Owner.getClassSchema()),
            Map.entry(DELIVERY, Delivery.getClassSchema()),
            Map.entry(RESOLVED, Resolved.getClassSchema()),
            Map.entry(APPLIED, Applied.getClassSchema()),
            Map.entry(ENTITY, Entity.getClassSchema()),
            Map.entry(SUBSCRIPTION, Subscription.getClassSchema()),
            Map.entry(NEIGHBORHOOD_STATUS, NeighborhoodStatus.getClassSchema()),
            Map.entry(EDGE_LEASE, EdgeLease.getClassSchema()),
            Map.entry(GROWTH, Growth.getClassSchema()),
            Map.entry(EDGE_REMOVAL, EdgeRemoval.getClassSchema()),
            Map.entry(WILL, Will.getClassSchema()),
            Map.entry(SESSION_CLAIM, SessionClaim.getClassSchema()));

    /** By old id, the schemas that earlier releases wrote and this one does not. */
    private static final Map<Integer, Schema> RETIRED =
            Map.of(7, read("retired/7-resolved.avsc"), 11, read("retired/11-edge_lease.avsc"));

    /** By new id, the schemas that the next release writes and this one does not. */
    private static final Map<Integer, Schema> NEXT = Map.of();

    static final SchemaTable TABLE = new SchemaTable(CURRENT, RETIRED, NEXT);

    private SchemaIds() {}

    private static Schema read(String file) {
        try (InputStream in = SchemaIds.class.getResourceAsStream(file)) {
            return new Schema.Parser().parse(Objects.requireNonNull(in, file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
