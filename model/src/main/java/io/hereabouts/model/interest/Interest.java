package io.hereabouts.model.interest;

import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.ShareName;
import io.hereabouts.model.topic.SubscribedFilter;
import io.hereabouts.model.topic.TopicFilter;

/**
 * Somebody at {@code edge} wants publications about the entities of {@code neighborhood} whose topic name matches
 * {@code topicFilter}. However many clients of one edge ask for the same, it is one interest. With a share name it is one of
 * a {@link Group}'s, of whose edges each publication goes to one.
 */
public record Interest(NeighborhoodId neighborhood, TopicFilter topicFilter, ShareName share, EdgeId edge) {

    public Interest {
        if (!share.isNone() && neighborhood.isEverywhere()) {
            throw new IllegalArgumentException("share name '" + share + "' without a neighborhood");
        }
    }

    /** One that is not shared. */
    public Interest(NeighborhoodId neighborhood, TopicFilter topicFilter, EdgeId edge) {
        this(neighborhood, topicFilter, ShareName.NONE, edge);
    }

    /** Whether it is one of a group's. */
    public boolean isShared() {
        return !share.isNone();
    }

    /** Topic filter and share name. */
    public SubscribedFilter filter() {
        return new SubscribedFilter(share, topicFilter);
    }

    /**
     * The group that it is of.
     *
     * @throws IllegalArgumentException if it is not shared
     */
    public Group group() {
        return new Group(neighborhood, filter());
    }
}
