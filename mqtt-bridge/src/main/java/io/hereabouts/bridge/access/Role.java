package io.hereabouts.bridge.access;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.TopicFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What those may do who have the role, before it is known who they are. Immutable. */
record Role(List<PublishGrant> publish, List<SubscribeGrant> subscribe) {

    /**
     * @param anything whether it goes for all publications; if not and the lists are empty, for those without entity
     */
    record PublishGrant(
            List<Template> topics,
            boolean anything,
            List<EntityPattern.Form> ids,
            List<Category> categories,
            List<NeighborhoodId> neighborhoods) {

        private Optional<Rights.Publish> of(Identity who) {
            List<TopicFilter> filters = filters(topics, who);
            if (anything || (ids.isEmpty() && categories.isEmpty() && neighborhoods.isEmpty())) {
                return some(filters, anything ? new About.Anything() : new About.Nothing());
            }
            List<EntityPattern> patterns = new ArrayList<>();
            ids.forEach(form -> form.template()
                    .fill(who)
                    .ifPresent(text -> patterns.add(new EntityPattern(text, form.beginning()))));
            // an empty list would say nothing: void if none of the ids is left
            return !ids.isEmpty() && patterns.isEmpty()
                    ? Optional.empty()
                    : some(filters, new About.Entities(patterns, categories, neighborhoods));
        }

        private static Optional<Rights.Publish> some(List<TopicFilter> filters, About about) {
            return filters.isEmpty() ? Optional.empty() : Optional.of(new Rights.Publish(filters, about));
        }
    }

    /** @param everywhere whether it goes for plain subscriptions too */
    record SubscribeGrant(
            List<Template> topics, boolean everywhere, List<NeighborhoodId> neighborhoods, List<Category> categories) {

        private Optional<Rights.Subscribe> of(Identity who) {
            List<TopicFilter> filters = filters(topics, who);
            return filters.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Rights.Subscribe(
                            filters,
                            everywhere ? new Within.Everywhere() : new Within.Some(neighborhoods, categories)));
        }
    }

    Role {
        publish = List.copyOf(publish);
        subscribe = List.copyOf(subscribe);
    }

    List<Rights.Publish> publishing(Identity who) {
        return publish.stream().flatMap(grant -> grant.of(who).stream()).toList();
    }

    List<Rights.Subscribe> subscribing(Identity who) {
        return subscribe.stream().flatMap(grant -> grant.of(who).stream()).toList();
    }

    private static List<TopicFilter> filters(List<Template> templates, Identity who) {
        List<TopicFilter> filters = new ArrayList<>();
        for (Template template : templates) {
            template.fill(who).ifPresent(text -> {
                try {
                    filters.add(TopicFilter.parse(text));
                } catch (IllegalArgumentException e) {
                    // a value of 64 kB makes a topic filter too long: void as well
                }
            });
        }
        return filters;
    }
}
