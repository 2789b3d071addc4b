package io.hereabouts.perf.index;

import io.hereabouts.perf.index.kafka.StoreContender;
import java.nio.file.Path;

/** The ways to keep the pairs, each with the name that its figures have. */
enum Keeping {
    INDEX("FilterIndex"),
    MAP("HashMap"),
    STORE("in-memory store"),
    ROCKS("RocksDB store");

    private final String title;

    Keeping(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /** An empty one, with its files, if it has any, in this folder. */
    IndexContender open(Path folder) {
        return switch (this) {
            case INDEX -> new FilterIndexContender();
            case MAP -> new MapContender();
            case STORE -> StoreContender.inMemory(folder);
            case ROCKS -> StoreContender.rocksDb(folder);
        };
    }
}
