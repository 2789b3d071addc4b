package io.hereabouts.cli;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** The version in the jar's manifest. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        String version =
                Objects.requireNonNullElse(Version.class.getPackage().getImplementationVersion(), "development build");
        return new String[] {
            "hereabouts " + version, "Java " + System.getProperty("java.version") + ", " + System.getProperty("os.name")
        };
    }
}
