package io.hereabouts.resolver.world;

import io.hereabouts.model.neighborhood.Condition;
import io.hereabouts.model.neighborhood.Relation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What an assertion of {@link RelationSuite} asks a world: the relation as it is published, and turned round. A matrix is
 * asked for as a pattern, which is true, and as all patterns that are wrong in one cell, which are not.
 */
final class RelationQuestions {

    private RelationQuestions() {}

    /** Whether the condition holds for one geometry as the candidate and the other as the reference. */
    record Question(Condition condition, boolean candidateIsA, boolean expected, RelationSuite.Assertion assertion) {}

    /** The relation that serves the operation, or empty if none does. */
    static Optional<Relation> served(String operation) {
        return operation.equals("equalsTopo") ? Optional.of(Relation.EQUALS) : Relation.byWord(operation);
    }

    /** The questions; none if the operation is not served. */
    static List<Question> of(RelationSuite.Assertion assertion) {
        Optional<Relation> relation = served(assertion.operation());
        if (relation.isEmpty()) {
            return List.of();
        }
        boolean expected =
                switch (assertion.expected()) {
                    case "true" -> true;
                    case "false" -> false;
                    default -> throw new IllegalStateException("neither true nor false: " + assertion);
                };
        List<Question> questions = new ArrayList<>();
        if (relation.get() == Relation.RELATE) {
            String matrix = assertion.argument();
            if (!expected || !matrix.matches("[F012]{9}")) {
                throw new IllegalStateException("not a whole matrix: " + assertion);
            }
            String turned = transposed(matrix);
            questions.add(new Question(relate(matrix), assertion.aFirst(), true, assertion));
            questions.add(new Question(relate(turned), !assertion.aFirst(), true, assertion));
            questions.add(new Question(wrongInOneCell(matrix), assertion.aFirst(), false, assertion));
            questions.add(new Question(wrongInOneCell(turned), !assertion.aFirst(), false, assertion));
        } else {
            Condition as = new Condition.Related(relation.get(), 0, null);
            Condition turned = new Condition.Related(converse(relation.get()), 0, null);
            questions.add(new Question(as, assertion.aFirst(), expected, assertion));
            questions.add(new Question(turned, !assertion.aFirst(), expected, assertion));
        }
        return questions;
    }

    private static Relation converse(Relation relation) {
        return switch (relation) {
            case WITHIN -> Relation.CONTAINS;
            case CONTAINS -> Relation.WITHIN;
            case COVERS -> Relation.COVERED_BY;
            case COVERED_BY -> Relation.COVERS;
            default -> relation;
        };
    }

    private static Condition relate(String pattern) {
        return new Condition.Related(Relation.RELATE, 0, pattern);
    }

    private static Condition wrongInOneCell(String matrix) {
        List<Condition> wrong = new ArrayList<>();
        for (int cell = 0; cell < 9; cell++) {
            char right = matrix.charAt(cell);
            for (char other : (right == 'F' ? "T012" : "F012").toCharArray()) {
                if (other != right) {
                    wrong.add(relate(matrix.substring(0, cell) + other + matrix.substring(cell + 1)));
                }
            }
        }
        return new Condition.Or(wrong);
    }

    private static String transposed(String matrix) {
        StringBuilder out = new StringBuilder();
        for (int cell : new int[] {0, 3, 6, 1, 4, 7, 2, 5, 8}) {
            out.append(matrix.charAt(cell));
        }
        return out.toString();
    }
}
