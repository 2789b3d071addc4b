package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.apache.avro.Schema;
import org.apache.avro.compiler.specific.SpecificCompiler;
import org.apache.avro.compiler.specific.SpecificCompiler.FieldVisibility;
import org.apache.avro.generic.GenericData.StringType;

/**
 * Two releases made of the sources of this one, where {@code Publication} is to gain a field: the first knows its new schema
 * and writes the old one, the second writes the new one. Only what differs is compiled; it stands before the other classes.
 */
final class Release {

    /** Under which the second release writes publications. */
    static final int NEW_ID = 99;

    private static final Path SCHEMAS = Path.of("..", "schemas", "src", "main");

    /** Where publications are made of what clients publish. */
    private static final Path MAKER = Path.of(
            "..",
            "mqtt-bridge",
            "src",
            "main",
            "java",
            "io",
            "hereabouts",
            "bridge",
            "hivemq",
            "PublicationRecords.java");

    private static final Path IDS = Path.of("io", "hereabouts", "schemas", "record");

    /** Not at the end: the payload is the last field. */
    private static final String NEW_FIELD = "{\"name\": \"site\", \"type\": \"string\", \"default\": \"here\"},\n    ";

    private final Path folder;

    private Release(Path folder) {
        this.folder = folder;
    }

    /** Reads the new schema and writes the old one. */
    static Release before(Path folder) throws IOException {
        Release release = new Release(Files.createDirectories(folder));
        release.resource("next/" + NEW_ID + "-publication.avsc", withNewField());
        String ids = replace(
                ids(),
                "NEXT = Map.of();",
                "NEXT = Map.of(" + NEW_ID + ", read(\"next/" + NEW_ID + "-publication.avsc\"));");
        release.compile(List.of(release.source("SchemaIds.java", ids)));
        return release;
    }

    /** Reads the old schema and writes the new one. */
    static Release after(Path folder) throws IOException {
        Release release = new Release(Files.createDirectories(folder));
        List<Path> sources = new ArrayList<>(release.records());
        String maker = replace(
                Files.readString(MAKER),
                "                others,\n",
                "                others,\n                \"there\",\n");
        sources.add(release.source("PublicationRecords.java", maker));
        release.compile(sources);
        return release;
    }

    /** As {@link #after}, and some of the classes have stayed those of this release. */
    static Release halfInstalled(Path folder) throws IOException {
        Release release = new Release(Files.createDirectories(folder));
        release.compile(release.records());
        return release;
    }

    private List<Path> records() throws IOException {
        resource("retired/1-publication.avsc", publication());
        String ids = replace(ids(), "PUBLICATION = 1;", "PUBLICATION = " + NEW_ID + ";");
        ids = replace(
                ids,
                "RETIRED =\n            Map.of(",
                "RETIRED =\n            Map.of(1, read(\"retired/1-publication.avsc\"), ");
        List<Path> sources = new ArrayList<>(List.of(source("SchemaIds.java", ids)));
        sources.addAll(recordClasses());
        return sources;
    }

    /** To start its processes with. */
    String classPath() {
        return folder + File.pathSeparator + System.getProperty("java.class.path");
    }

    private static String ids() throws IOException {
        return Files.readString(SCHEMAS.resolve("java").resolve(IDS).resolve("SchemaIds.java"));
    }

    private static String publication() throws IOException {
        return Files.readString(SCHEMAS.resolve("avro").resolve("publication.avsc"));
    }

    private static String withNewField() throws IOException {
        return replace(publication(), "{\"name\": \"payload\"", NEW_FIELD + "{\"name\": \"payload\"");
    }

    private static String replace(String text, String what, String with) {
        assertThat(text).contains(what);
        return text.replace(what, with);
    }

    private void resource(String name, String text) throws IOException {
        Path file = folder.resolve(IDS).resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private Path source(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    /** As the build makes them, see the settings of avro-maven-plugin. */
    private List<Path> recordClasses() throws IOException {
        SpecificCompiler compiler = new SpecificCompiler(new Schema.Parser().parse(withNewField()));
        compiler.setStringType(StringType.String);
        compiler.setFieldVisibility(FieldVisibility.PRIVATE);
        compiler.setCreateSetters(false);
        Path sources = Files.createDirectories(folder.resolve("sources"));
        compiler.compileToDestination(null, sources.toFile());
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    private void compile(List<Path> sources) {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        List<String> arguments = new ArrayList<>(List.of(
                "-proc:none", "-nowarn", "-cp", System.getProperty("java.class.path"), "-d", folder.toString()));
        sources.forEach(source -> arguments.add(source.toString()));
        assertThat(javac.run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
    }
}
