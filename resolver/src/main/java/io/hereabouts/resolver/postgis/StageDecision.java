package io.hereabouts.resolver.postgis;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.neighborhood.Stage;
import io.hereabouts.resolver.world.Tally;
import io.hereabouts.resolver.world.UnresolvableException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Makes the entities of one stage out of what the database knows of it. For one thread. */
final class StageDecision implements OpenPairs.Tallies {

    private static final String CATEGORY = "SELECT id FROM hereabouts.entity WHERE selectors && ?";

    private final Connection connection;
    private final Stage stage;
    private final boolean assumed;
    private final StageRows rows;
    private final Map<String, Tally> tallies = new HashMap<>();

    /** @param assumed the condition's value for pairs that are not among the rows */
    StageDecision(Connection connection, Stage stage, boolean assumed, StageRows rows) {
        this.connection = connection;
        this.stage = stage;
        this.assumed = assumed;
        this.rows = rows;
    }

    /** Ids, sorted. */
    List<EntityId> entities(OpenPairs.Clock clock) throws SQLException, UnresolvableException {
        Set<String> references = new HashSet<>();
        rows.references.forEach(reference -> {
            if (reference.id() != null) {
                references.add(reference.id());
            }
        });
        OpenPairs open = new OpenPairs(connection, stage, rows.references);
        for (StageRows.Pair pair : rows.pairs) {
            if (references.contains(pair.id())) {
                continue;
            }
            Tally tally = tallies.computeIfAbsent(pair.id(), id -> new Tally());
            tally.addNear();
            if (pair.holds() == null) {
                open.add(pair);
            } else {
                tally.add(pair.holds());
            }
        }
        open.decide(this, clock);
        List<EntityId> entities = new ArrayList<>();
        tallies.forEach((id, tally) -> {
            if (isIn(tally)) {
                entities.add(EntityId.of(id));
            }
        });
        if (isIn(new Tally())) {
            for (String id : rows.references.isEmpty() ? category() : rows.category) {
                if (!tallies.containsKey(id) && !references.contains(id)) {
                    entities.add(EntityId.of(id));
                }
            }
        }
        entities.sort(null);
        return entities;
    }

    @Override
    public Tally of(String candidate) {
        return Objects.requireNonNull(tallies.get(candidate));
    }

    @Override
    public boolean isSettled(Tally tally) {
        return tally.isSettled(stage.match(), rows.references.size(), assumed);
    }

    private boolean isIn(Tally tally) {
        return tally.isIn(stage.match(), rows.references.size(), assumed);
    }

    /** A stage without references is rare enough to ask once more. */
    private List<String> category() throws SQLException {
        List<String> ids = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(CATEGORY)) {
            statement.setArray(
                    1,
                    connection.createArrayOf(
                            "text",
                            stage.categories().stream().map(c -> c.path()).toArray()));
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    ids.add(row.getString(1));
                }
            }
        }
        return ids;
    }
}
