package io.hereabouts.cli;

import io.hereabouts.model.entity.Category;
import io.hereabouts.resolver.importing.CategoryRule;
import io.hereabouts.resolver.importing.CsvLayout;
import io.hereabouts.resolver.importing.IdRule;
import io.hereabouts.resolver.importing.ImportRules;
import io.hereabouts.resolver.importing.OsmCategories;
import io.hereabouts.resolver.importing.WorldFile;
import io.hereabouts.resolver.importing.manifest.FileFormats;
import io.hereabouts.resolver.importing.manifest.WorldManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which files {@code world import} reads, and by which rules. */
final class ImportOptions {

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE",
            description = "OSM PBF, or GeoJSON, GeoJSON-seq or CSV (with --lon and --lat, or --wkt), plain or .gz")
    private List<Path> files = List.of();

    @Option(
            names = "--manifest",
            paramLabel = "FILE",
            description = "JSON that names files and rules; see docs/world.md")
    private @Nullable Path manifest;

    @Option(
            names = "--id",
            paramLabel = "PROPERTY",
            description = "property or column with the id; default: the Feature's id")
    private @Nullable String id;

    @Option(names = "--id-prefix", paramLabel = "TEXT", description = "put before each id, e.g. district/")
    private String idPrefix = "";

    @Option(names = "--category", paramLabel = "PATH", description = "category of all entities")
    private @Nullable String category;

    @Option(
            names = "--category-property",
            paramLabel = "PROPERTY",
            description = "property or column with the category; the default is the column category of a query")
    private @Nullable String categoryProperty;

    @Option(names = "--category-under", paramLabel = "PATH", description = "put the property's category below this one")
    private String categoryUnder = "";

    @Option(names = "--osm", description = "categories by OpenStreetMap tags; the default for PBF")
    private boolean osm;

    @Option(
            names = "--osm-mapping",
            paramLabel = "FILE",
            description = "categories by OpenStreetMap tags, by rules of your own; see docs/world.md")
    private @Nullable Path osmMapping;

    @Mixin
    private CsvOptions csv;

    @Mixin
    private QueryOptions query;

    @Option(
            names = "--repeated-ids",
            paramLabel = "last|first|refuse",
            defaultValue = "last",
            description = "which feature of an id counts; default ${DEFAULT-VALUE}")
    private Repeated repeated = Repeated.LAST;

    @Option(names = "--repair", description = "mend invalid geometries as far as that is possible; they are counted")
    private boolean repair;

    private enum Repeated {
        LAST(ImportRules.RepeatedIds.LAST_WINS),
        FIRST(ImportRules.RepeatedIds.FIRST_WINS),
        REFUSE(ImportRules.RepeatedIds.REFUSE);

        private final ImportRules.RepeatedIds rule;

        Repeated(ImportRules.RepeatedIds rule) {
            this.rule = rule;
        }
    }

    private boolean categoriesAreNeeded = true;

    /** True if something is to be read. */
    boolean isGiven() {
        return !files.isEmpty() || manifest != null || query.isGiven();
    }

    /** Features may be of any category, where nothing is said about it. */
    void needNoCategories() {
        categoriesAreNeeded = false;
    }

    List<WorldFile> files() throws InputException {
        if ((files.isEmpty() ? 0 : 1) + (manifest == null ? 0 : 1) + (query.isGiven() ? 1 : 0) != 1) {
            throw new InputException("expected files, --manifest or --sql, one of them");
        }
        try {
            if (manifest != null) {
                return WorldManifest.parse(Files.readString(manifest), manifest.resolveSibling(""));
            }
            CsvLayout layout = csv.layout();
            CategoryRule categories = categories(layout);
            ImportRules rules = new ImportRules(new IdRule(id, idPrefix), categories, repeated.rule, repair);
            if (query.isGiven()) {
                return List.of(query.query(rules));
            }
            List<WorldFile> worldFiles = new ArrayList<>();
            for (Path file : files) {
                worldFiles.add(FileFormats.of(file, layout, rules));
            }
            return worldFiles;
        } catch (IOException e) {
            throw new InputException("cannot be read: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            throw new InputException((manifest == null ? "" : "--manifest " + manifest + ": ") + e.getMessage());
        }
    }

    private CategoryRule categories(@Nullable CsvLayout layout) throws IOException {
        int ways = (category == null ? 0 : 1)
                + (categoryProperty == null ? 0 : 1)
                + (osm ? 1 : 0)
                + (osmMapping == null ? 0 : 1);
        if (ways == 0 && !categoriesAreNeeded) {
            return CategoryRule.constant(Category.of("any"));
        }
        if (ways == 0 && query.isGiven()) {
            return CategoryRule.ofProperty("category", categoryUnder);
        }
        if (ways == 0 && layout == null && areAllOsm()) {
            return CategoryRule.osmTags();
        }
        if (ways != 1) {
            throw new IllegalArgumentException(
                    "expected one of --category, --category-property, --osm and --osm-mapping");
        }
        if (category != null) {
            return CategoryRule.constant(Category.of(category));
        }
        if (osmMapping != null) {
            return mapping(osmMapping);
        }
        return categoryProperty == null
                ? CategoryRule.osmTags()
                : CategoryRule.ofProperty(categoryProperty, categoryUnder);
    }

    private boolean areAllOsm() throws IOException {
        for (Path file : files) {
            if (!FileFormats.isOsm(file)) {
                return false;
            }
        }
        return true;
    }

    private static CategoryRule mapping(Path file) {
        try {
            return OsmCategories.parse(Files.readString(file));
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException("--osm-mapping " + file + ": cannot be read: " + e.getMessage(), e);
        }
    }
}
