package io.hereabouts.perf.postgis;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * One shape of the pairs. Neighborhoods are of equal size, and each entity in any of them is in equally many.
 *
 * @param entities of each neighborhood
 * @param fanOut neighborhoods of each entity that is looked up; 0 for entities that are in none
 */
record MappingCase(int neighborhoods, int entities, int fanOut) {

    /** Nothing at all, to be added to. */
    static final MappingCase NONE = new MappingCase(0, 1, 1);

    String name() {
        return String.format(Locale.ROOT, "%,d neighborhoods of %,d, fan-out %d", neighborhoods, entities, fanOut);
    }

    /** How many neighborhoods each entity in any of them is in: one where those are looked up that are in none. */
    private int memberships() {
        return Math.max(1, fanOut);
    }

    private int members() {
        return Math.max(1, (int) ((long) neighborhoods * entities / memberships()));
    }

    static NeighborhoodId neighborhood(int n) {
        return NeighborhoodId.ofCanonical("perf " + n);
    }

    /** Of the n-th neighborhood. */
    List<EntityId> entitiesOf(int n) {
        List<EntityId> of = new ArrayList<>(entities);
        for (int i = 0; i < entities; i++) {
            of.add(entity("perf/entity/", ((long) n * entities + i) % members()));
        }
        return of;
    }

    /** Who a publication is about. */
    EntityId draw(Random random) {
        return entity(fanOut == 0 ? "perf/stranger/" : "perf/entity/", random.nextInt(members()));
    }

    private static EntityId entity(String prefix, long number) {
        return EntityId.of(prefix + number);
    }
}
