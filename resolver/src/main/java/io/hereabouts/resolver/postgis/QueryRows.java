package io.hereabouts.resolver.postgis;

import io.hereabouts.resolver.importing.RawFeature;
import io.hereabouts.resolver.importing.RawFeature.Kind;
import io.hereabouts.resolver.importing.ReadProgress;
import java.io.IOException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKBReader;

/** The rows of a query as features: its columns, then the SRID, then the geometry as WKB. For one thread. */
final class QueryRows implements RawFeature.Source {

    private static final String ID = "id";

    private final Connection connection;
    private final ResultSet rows;
    private final List<String> columns;
    private final ReadProgress progress;
    private long count;
    private long bytes;

    QueryRows(Connection connection, ResultSet rows, List<String> columns, ReadProgress progress) {
        this.connection = connection;
        this.rows = rows;
        this.columns = columns;
        this.progress = progress;
    }

    @Override
    public @Nullable RawFeature next() throws IOException {
        try {
            if (!rows.next()) {
                return null;
            }
            count++;
            return feature("row " + count);
        } catch (SQLException e) {
            throw PostgisQuery.explained(e);
        }
    }

    private RawFeature feature(String position) throws SQLException, IOException {
        Map<String, String> properties = new HashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            String text = text(i + 1);
            if (text != null) {
                properties.put(columns.get(i), text);
            }
        }
        String id = properties.get(ID);
        byte[] wkb = rows.getBytes(columns.size() + 2);
        if (wkb == null) {
            return RawFeature.without(Kind.BAD, position, id, properties, "geometry is null");
        }
        if (rows.getInt(columns.size() + 1) == 0) {
            throw new IOException("query, " + position + ": the geometry has no SRID, so nobody knows where it is;"
                    + " if it is lon/lat WGS 84 say ST_SetSRID(…, 4326) in the query");
        }
        bytes += wkb.length;
        progress.read(bytes, -1);
        try {
            return RawFeature.of(position, id, properties, new WKBReader().read(wkb));
        } catch (ParseException | IllegalArgumentException e) {
            return RawFeature.without(Kind.BAD, position, id, properties, "geometry cannot be read: " + e.getMessage());
        }
    }

    /** A list is one text with separators, as everywhere in an import. */
    private @Nullable String text(int column) throws SQLException {
        if (rows.getMetaData().getColumnType(column) != Types.ARRAY) {
            return rows.getString(column);
        }
        Array array = rows.getArray(column);
        return array == null
                ? null
                : Arrays.stream((Object[]) array.getArray())
                        .filter(Objects::nonNull)
                        .map(String::valueOf)
                        .collect(Collectors.joining(RawFeature.LIST));
    }

    @Override
    public void close() throws IOException {
        try {
            connection.close();
        } catch (SQLException e) {
            throw PostgisQuery.explained(e);
        }
    }
}
