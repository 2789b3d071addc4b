package io.hereabouts.bridge.access;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.hereabouts.bridge.access.Policy.User;
import io.hereabouts.model.entity.Category;
import io.hereabouts.model.neighborhood.InvalidDescriptorException;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Reads the security file: YAML, so JSON too. All that is wrong is reported together. Immutable. */
final class SecurityFile {

    /** A file that is not used. */
    static final class BadSecurityFileException extends Exception {
        private static final long serialVersionUID = 1L;

        BadSecurityFileException(String message) {
            super(message, null, false, false);
        }
    }

    private static final ObjectMapper YAML = new ObjectMapper(YAMLFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build());

    private final DescriptorParser descriptors;
    private final TokenFile tokens;

    SecurityFile(DescriptorParser descriptors, TokenFile tokens) {
        this.descriptors = descriptors;
        this.tokens = tokens;
    }

    /** @throws BadSecurityFileException with a line for each thing that is wrong */
    Policy parse(String text) throws BadSecurityFileException {
        JsonNode root;
        try {
            root = YAML.readTree(text);
        } catch (JsonProcessingException e) {
            throw new BadSecurityFileException(
                    e.getOriginalMessage().lines().findFirst().orElse("no YAML")
                            + (e.getLocation() == null
                                    ? ""
                                    : ", line " + e.getLocation().getLineNr()));
        }
        List<String> problems = new ArrayList<>();
        if (!root.isObject()) {
            throw new BadSecurityFileException("expected a mapping with 'users' and 'roles'");
        }
        Policy policy = policy(Yaml.of(root, problems));
        if (!problems.isEmpty()) {
            throw new BadSecurityFileException(String.join("; ", problems));
        }
        return policy;
    }

    private Policy policy(Yaml file) {
        Map<String, NeighborhoodDescriptor> named = new LinkedHashMap<>();
        file.mappings("neighborhoods").forEach((name, written) -> {
            try {
                named.put(name, descriptors.parse(written.json()));
            } catch (InvalidDescriptorException e) {
                written.problem("", String.valueOf(e.getMessage()));
            }
        });
        Map<String, Role> roles = new LinkedHashMap<>();
        Set<NeighborhoodDescriptor> spokenFor = new LinkedHashSet<>();
        file.mappings("roles").forEach((name, written) -> roles.put(name, role(written, named, spokenFor)));
        Map<String, User> users = new LinkedHashMap<>();
        file.mappings("users").forEach((name, written) -> users.put(name, user(written, roles.keySet())));
        Optional<Set<String>> certificates =
                file.mapping("certificates").map(written -> onlyRoles(written, roles.keySet()));
        Optional<Set<String>> anonymous = file.mapping("anonymous").map(written -> onlyRoles(written, roles.keySet()));
        String takeover = file.text("takeover").orElse("same-user");
        if (!takeover.equals("same-user") && !takeover.equals("anyone")) {
            file.problem("takeover", "is '" + takeover + "', expected same-user or anyone");
        }
        Optional<TokenRules> rules = file.mapping("jwt").flatMap(written -> tokens.read(written, roles.keySet()));
        file.done();
        return new Policy(users, certificates, anonymous, rules, takeover.equals("same-user"), roles, spokenFor);
    }

    private static User user(Yaml written, Set<String> roles) {
        Optional<PasswordHash> password =
                written.text("password").flatMap(text -> valid(written, "password", text, PasswordHash::parse));
        return new User(password, onlyRoles(written, roles));
    }

    private static Set<String> onlyRoles(Yaml written, Set<String> known) {
        Set<String> roles = roles(written, known);
        written.done();
        return roles;
    }

    /** Roles that there are, at least one. */
    static Set<String> roles(Yaml written, Set<String> known) {
        Set<String> roles = written.words("roles");
        if (!written.has("roles")) {
            written.problem("roles", "is missing");
        }
        roles.stream()
                .filter(name -> !known.contains(name))
                .forEach(name -> written.problem("roles", "has '" + name + "', which is no role of this file"));
        return roles;
    }

    private static Role role(
            Yaml written, Map<String, NeighborhoodDescriptor> named, Set<NeighborhoodDescriptor> spokenFor) {
        List<Role.PublishGrant> publish = new ArrayList<>();
        for (Yaml grant : written.list("publish")) {
            boolean anything = grant.is("about", "anything");
            Optional<Yaml> about = anything ? Optional.empty() : grant.mapping("about");
            List<EntityPattern.Form> ids = new ArrayList<>();
            List<Category> categories = new ArrayList<>();
            List<NeighborhoodDescriptor> places = new ArrayList<>();
            about.ifPresent(a -> {
                ids.addAll(all(a, "entities", EntityPattern.Form::parse));
                categories.addAll(all(a, "categories", Category::of));
                places.addAll(places(a, named));
                if (ids.isEmpty() && categories.isEmpty() && places.isEmpty()) {
                    a.problem("", "expected entities, categories or neighborhoods, or the word 'anything'");
                }
                a.done();
            });
            spokenFor.addAll(places);
            publish.add(new Role.PublishGrant(
                    topics(grant),
                    anything,
                    ids,
                    categories,
                    places.stream().map(NeighborhoodDescriptor::id).toList()));
            grant.done();
        }
        List<Role.SubscribeGrant> subscribe = new ArrayList<>();
        for (Yaml grant : written.list("subscribe")) {
            Optional<Yaml> within = grant.mapping("within");
            List<NeighborhoodDescriptor> places = new ArrayList<>();
            List<Category> categories = new ArrayList<>();
            within.ifPresent(w -> {
                places.addAll(places(w, named));
                categories.addAll(all(w, "categories", Category::of));
                if (places.isEmpty() && categories.isEmpty()) {
                    w.problem("", "expected neighborhoods or categories");
                }
                w.done();
            });
            subscribe.add(new Role.SubscribeGrant(
                    topics(grant),
                    !grant.has("within"),
                    places.stream().map(NeighborhoodDescriptor::id).toList(),
                    categories));
            grant.done();
        }
        written.done();
        return new Role(publish, subscribe);
    }

    private static List<Template> topics(Yaml grant) {
        if (!grant.has("topics")) {
            grant.problem("topics", "is missing");
        }
        return all(grant, "topics", text -> {
            Template template = new Template(text);
            if (text.startsWith("$share/")) {
                throw new IllegalArgumentException(
                        "begins with $share: a topic filter goes for shared subscriptions as it is");
            }
            // any value that may be filled in is as good as this one
            io.hereabouts.model.topic.TopicFilter.parse(
                    template.fill(new Identity("x", Optional.of("x"))).orElse(""));
            return template;
        });
    }

    private static List<NeighborhoodDescriptor> places(Yaml at, Map<String, NeighborhoodDescriptor> named) {
        return all(at, "neighborhoods", name -> {
            NeighborhoodDescriptor found = named.get(name);
            if (found == null) {
                throw new IllegalArgumentException("'" + name + "' is not among the neighborhoods of this file");
            }
            return found;
        });
    }

    private static <T> List<T> all(Yaml at, String key, Function<String, T> parse) {
        List<T> all = new ArrayList<>();
        at.texts(key).forEach(text -> valid(at, key, text, parse).ifPresent(all::add));
        return all;
    }

    private static <T> Optional<T> valid(Yaml at, String key, String text, Function<String, T> parse) {
        try {
            return Optional.of(parse.apply(text));
        } catch (IllegalArgumentException e) {
            at.problem(key, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }
}
