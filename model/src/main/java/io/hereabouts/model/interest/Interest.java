package io.hereabouts.model.interest;

import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.TopicFilter;

/**
 * Somebody at {@code edge} wants publications about the entities of {@code neighborhood} whose topic name matches
 * {@code topicFilter}. However many clients of one edge ask for the same, it is one interest.
 */
public record Interest(NeighborhoodId neighborhood, TopicFilter topicFilter, EdgeId edge) {}
