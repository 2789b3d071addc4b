package io.hereabouts.resolver.exporting;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One worked example of docs/neighborhoods.md: a heading, {@code ```json} with the descriptor, a picture that is called as the
 * descriptor's file, and a line "Means `a`, `b`."
 */
record DocumentedExample(String name, String json, List<String> means) {

    private static final Pattern JSON = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL);
    private static final Pattern PICTURE = Pattern.compile("]\\(images/neighborhoods/([a-z-]+)\\.svg\\)");
    private static final Pattern MEANS = Pattern.compile("^Means (.*?)\\.$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

    /** The examples in the chapter with this heading. */
    static List<DocumentedExample> of(String page, String heading) {
        String chapter = page.substring(page.indexOf("\n## " + heading + "\n") + 1);
        int end = chapter.indexOf("\n## ");
        List<DocumentedExample> examples = new ArrayList<>();
        for (String section :
                chapter.substring(0, end < 0 ? chapter.length() : end).split("\n### ", -1)) {
            if (JSON.matcher(section).find()) {
                List<String> means = QUOTED.matcher(only(MEANS, section))
                        .results()
                        .map(match -> match.group(1))
                        .toList();
                examples.add(new DocumentedExample(only(PICTURE, section), only(JSON, section), means));
            }
        }
        return examples;
    }

    private static String only(Pattern pattern, String section) {
        Matcher matcher = pattern.matcher(section);
        if (!matcher.find()) {
            throw new IllegalArgumentException("no " + pattern + " in: " + section);
        }
        return matcher.group(1);
    }

    @Override
    public String toString() {
        return name;
    }
}
