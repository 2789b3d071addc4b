package io.hereabouts.perf.postgis;

import io.hereabouts.resolver.world.UnresolvableException;
import io.hereabouts.resolver.world.WorldUnavailableException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** One case asked of all contenders: each question of one after the other, each time another one first. For one thread. */
final class ResolveRound {

    private final List<Contender> contenders;
    private final List<Histogram> nanos = new ArrayList<>();
    private final int[] equalAnswers;
    private final List<String> differences = new ArrayList<>();
    private int questions;
    private long entities;

    /** @param contenders the first one's answers are what the others' are compared with */
    ResolveRound(List<Contender> contenders) {
        this.contenders = contenders;
        this.equalAnswers = new int[contenders.size()];
        contenders.forEach(c -> nanos.add(new Histogram(3)));
    }

    void ask(Question question) throws SQLException, WorldUnavailableException, UnresolvableException {
        List<Set<String>> answers = new ArrayList<>();
        contenders.forEach(c -> answers.add(Set.of()));
        for (int i = 0; i < contenders.size(); i++) {
            int turn = (questions + i) % contenders.size();
            long begin = System.nanoTime();
            List<?> ids = contenders.get(turn).resolve(question);
            nanos.get(turn).recordValue(System.nanoTime() - begin);
            answers.set(turn, ids.stream().map(String::valueOf).collect(Collectors.toSet()));
        }
        questions++;
        Set<String> expected = answers.get(0);
        entities += expected.size();
        for (int i = 0; i < answers.size(); i++) {
            if (answers.get(i).equals(expected)) {
                equalAnswers[i]++;
            } else {
                differences.add(difference(question, expected, answers.get(i)));
            }
        }
    }

    private static String difference(Question question, Set<String> expected, Set<String> answer) {
        Set<String> missing = new HashSet<>(expected);
        missing.removeAll(answer);
        Set<String> added = new HashSet<>(answer);
        added.removeAll(expected);
        return question.shape().name() + ", reference " + question.reference() + ": " + missing.size() + " missing, "
                + added.size() + " too many, such as "
                + (missing.isEmpty() ? added : missing)
                        .stream().sorted().findFirst().orElse("");
    }

    int questions() {
        return questions;
    }

    /** Of this contender, the same as of the first one. */
    int equalAnswers(int contender) {
        return equalAnswers[contender];
    }

    /** Which answers differ, a line each. */
    List<String> differences() {
        return differences;
    }

    /** The median of this contender. */
    double millis(int contender) {
        return nanos.get(contender).getValueAtPercentile(50) / 1e6;
    }

    double entitiesAnAnswer() {
        return (double) entities / questions;
    }
}
