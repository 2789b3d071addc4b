package io.hereabouts.cli;

import io.hereabouts.launcher.WorldImport;
import io.hereabouts.resolver.importing.Feature;
import java.io.PrintWriter;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarStyle;

/** How an import goes: a bar over the bytes of the files, and a line for each feature that is or was wrong. */
final class ImportBar implements WorldImport.Progress, AutoCloseable {

    private static final int SHOWN = 20;

    private final PrintWriter err;
    private final ProgressBar bar = Terminal.progressBar()
            .setTaskName("import")
            .setInitialMax(-1)
            .setUnit(" MiB", 1 << 20)
            .setStyle(ProgressBarStyle.ASCII)
            .build();
    private long told;

    ImportBar(PrintWriter err) {
        this.err = err;
    }

    @Override
    public void read(String file, long bytes, long of) {
        bar.maxHint(of);
        bar.stepTo(bytes);
        bar.setExtraMessage(file);
    }

    @Override
    public void repaired(String file, Feature.Entity feature) {
        tell(file + ", " + feature.position() + ", " + feature.entity().id() + ": repaired: " + feature.repaired());
    }

    @Override
    public void bad(String file, Feature.Bad feature) {
        tell(file + ", " + feature.position() + (feature.id() == null ? "" : ", " + feature.id()) + ": "
                + feature.reason());
    }

    private void tell(String line) {
        if (++told <= SHOWN) {
            err.println(line + (told == SHOWN ? "; further ones are only counted" : ""));
            err.flush();
        }
    }

    @Override
    public void close() {
        bar.close();
    }
}
