package io.hereabouts.router;

import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.streams.state.StoreBuilder;

/** Builds the store of each task; there is neither cache nor changelog to choose. Thread-safe. */
final class FilterStoreBuilder implements StoreBuilder<FilterStore> {

    private final String name;
    private final Supplier<FilterStore> stores;

    FilterStoreBuilder(String name, Supplier<FilterStore> stores) {
        this.name = name;
        this.stores = stores;
    }

    @Override
    public FilterStore build() {
        return stores.get();
    }

    @Override
    public StoreBuilder<FilterStore> withCachingEnabled() {
        throw new UnsupportedOperationException("the filters are in memory already");
    }

    @Override
    public StoreBuilder<FilterStore> withCachingDisabled() {
        return this;
    }

    @Override
    public StoreBuilder<FilterStore> withLoggingEnabled(Map<String, String> config) {
        throw new UnsupportedOperationException("the filters load themselves and have no changelog");
    }

    @Override
    public StoreBuilder<FilterStore> withLoggingDisabled() {
        return this;
    }

    @Override
    public Map<String, String> logConfig() {
        return Map.of();
    }

    @Override
    public boolean loggingEnabled() {
        return false;
    }

    @Override
    public String name() {
        return name;
    }
}
