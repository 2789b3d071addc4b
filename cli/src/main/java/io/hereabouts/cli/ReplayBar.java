package io.hereabouts.cli;

import io.hereabouts.replay.Remark;
import io.hereabouts.replay.ReplayProgress;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarStyle;

/** How a replay goes: a bar with the rate, and a line for each row that is wrong or remarkable. */
final class ReplayBar implements ReplayProgress, AutoCloseable {

    private static final int BAD_SHOWN = 20;
    private static final int REMARKS_SHOWN = 3;

    private final PrintWriter err;
    private final ProgressBar bar = Terminal.progressBar()
            .setTaskName("replay")
            .setInitialMax(-1)
            .setUnit(" rows", 1)
            .showSpeed()
            .setStyle(ProgressBarStyle.ASCII)
            .build();
    private final Map<String, Integer> told = new HashMap<>();

    ReplayBar(PrintWriter err) {
        this.err = err;
    }

    @Override
    public void badLine(Path file, long line, String reason) {
        tell("bad", BAD_SHOWN, file, line, reason);
    }

    @Override
    public void remark(Path file, long line, Remark remark) {
        tell(remark.tag(), REMARKS_SHOWN, file, line, remark.text());
    }

    private void tell(String kind, int shown, Path file, long line, String text) {
        int count = told.merge(kind, 1, Integer::sum);
        if (count <= shown) {
            err.println(file + ":" + line + ": " + text + (count == shown ? "; further ones are only counted" : ""));
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
