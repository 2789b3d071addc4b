package io.hereabouts.bridge.access;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All that the security file says. Immutable.
 *
 * @param users by name
 * @param certificateRoles of those whose certificate names a user that is not among them; empty: nobody
 * @param anonymousRoles of those who come without credentials; empty: nobody
 * @param tokens who may vouch for clients by a JWT
 * @param sameUser whether a client id is its user's as long as the session lasts
 * @param neighborhoods whose members publishers may speak for
 */
record Policy(
        Map<String, User> users,
        Optional<Set<String>> certificateRoles,
        Optional<Set<String>> anonymousRoles,
        Optional<TokenRules> tokens,
        boolean sameUser,
        Map<String, Role> roles,
        Set<NeighborhoodDescriptor> neighborhoods) {

    /** @param password empty for one that comes with a certificate only */
    record User(Optional<PasswordHash> password, Set<String> roles) {
        User {
            roles = Set.copyOf(roles);
        }
    }

    Policy {
        users = Map.copyOf(users);
        roles = Map.copyOf(roles);
        neighborhoods = Set.copyOf(neighborhoods);
    }

    /** What somebody with these roles may do; roles that there are not give nothing. */
    Rights rights(Identity who, Set<String> names) {
        List<Rights.Publish> publishing = new ArrayList<>();
        List<Rights.Subscribe> subscribing = new ArrayList<>();
        names.stream().sorted().map(roles::get).forEach(role -> {
            if (role != null) {
                publishing.addAll(role.publishing(who));
                subscribing.addAll(role.subscribing(who));
            }
        });
        return new Rights(publishing, subscribing);
    }

    boolean hasAny(Set<String> names) {
        return names.stream().anyMatch(roles::containsKey);
    }

    /** Whether publishing depends on the categories of entities. */
    boolean asksForCategories() {
        return roles.values().stream()
                .flatMap(role -> role.publish().stream())
                .map(Role.PublishGrant::categories)
                .anyMatch((List<Category> categories) -> !categories.isEmpty());
    }
}
