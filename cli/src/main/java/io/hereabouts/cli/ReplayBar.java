package io.hereabouts.cli;

import io.hereabouts.replay.ReplayProgress;
import java.io.PrintWriter;
import java.time.Instant;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** How a replay goes: a bar with the rate, and a line for each row that is wrong. */
final class ReplayBar implements ReplayProgress, AutoCloseable {

    private static final int SHOWN = 20;

    private final PrintWriter err;
    private final ProgressBar bar = new ProgressBarBuilder()
            .setTaskName("replay")
            .setInitialMax(-1)
            .setUnit(" rows", 1)
            .showSpeed()
            .setStyle(ProgressBarStyle.ASCII)
            .build();
    private long bad;

    ReplayBar(PrintWriter err) {
        this.err = err;
    }

    @Override
    public void badLine(long line, String reason) {
        if (++bad <= SHOWN) {
            err.println("line " + line + ": " + reason + (bad == SHOWN ? "; further ones are only counted" : ""));
            err.flush();
        }
    }

    @Override
    public void sorting(long rows) {
        bar.setExtraMessage("sorting " + rows);
    }

    @Override
    public void sent(long sent, long eventTime) {
        bar.stepTo(sent);
        if (sent % 1_000 == 0) {
            bar.setExtraMessage(Instant.ofEpochMilli(eventTime).toString());
        }
    }

    @Override
    public void close() {
        bar.close();
    }
}
