package io.hereabouts.perf.postgis;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.postgresql.PGStatement;

/** Asks the case's own SQL: each prepared once where that is faster, one round trip, no transaction around it. For one thread. */
final class PlainSql implements Contender {

    private final Connection connection;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    PlainSql(Connection connection) {
        this.connection = connection;
    }

    @Override
    public List<String> resolve(Question question) throws SQLException {
        PreparedStatement statement = prepared.get(question.shape().sql());
        if (statement == null) {
            statement = connection.prepareStatement(question.shape().sql());
            if (question.shape().reference() == ResolveCase.Kind.AREA) {
                // planned for this area each time: a plan for whatever area reads its text for each row
                statement.unwrap(PGStatement.class).setPrepareThreshold(0);
            }
            prepared.put(question.shape().sql(), statement);
        }
        statement.setString(1, question.reference());
        List<String> ids = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                ids.add(rows.getString(1));
            }
        }
        return ids;
    }
}
