package io.hereabouts.replay;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.topic.TopicName;
import java.util.Comparator;

/**
 * A row that became a publication.
 *
 * @param eventTime milliseconds since 1970-01-01T00:00Z
 * @param file index of its file, from 0
 * @param line number in the file, from 1
 * @param entity whose state it is
 * @param topic where it goes
 * @param publicationId 32 hex digits
 * @param payload text
 */
record Reading(
        long eventTime, int file, long line, EntityId entity, TopicName topic, String publicationId, String payload) {

    /** By time; rows of one time in the order of the files, and as they stand in a file. */
    static final Comparator<Reading> BY_TIME = Comparator.comparingLong(Reading::eventTime)
            .thenComparingInt(Reading::file)
            .thenComparingLong(Reading::line);
}
