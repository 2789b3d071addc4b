package io.hereabouts.bridge.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.bridge.access.SecurityFile.BadSecurityFileException;
import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.TopicFilter;
import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SecurityFileTest {

    private static final DescriptorParser DESCRIPTORS = new DescriptorParser(DescriptorLimits.DEFAULT);
    private static final String ZONE =
            "{\"stages\":[{\"references\":[\"zone/17\"],\"categories\":[\"road\",\"detector\"]}]}";

    private static final String ROLES =
            """
            neighborhoods:
              zone-17:
                stages:
                  - {references: [zone/17], categories: [detector, road]}
            roles:
              driver:
                publish:
                  - topics: ['traffic/${username}/#', 'cars/car-${clientid}']
                    about: {entities: ['vehicle/${username}', 'trailer/${username}/*']}
                  - {topics: chat/+}
              road-works:
                publish:
                  - {topics: works/#, about: {categories: [road], neighborhoods: [zone-17]}}
              all:
                publish: [{topics: '#', about: anything}]
                subscribe: [{topics: '#'}]
              watcher:
                subscribe:
                  - {topics: traffic/#, within: {neighborhoods: [zone-17]}}
                  - {topics: parking/#, within: {categories: [parking, detector/parking]}}
                  - {topics: 'own/${username}'}
            """;

    private static Policy parse(String text) throws BadSecurityFileException {
        return new SecurityFile(DESCRIPTORS, new TokenFile(Path.of("/nowhere"), Clock.systemUTC())).parse(text);
    }

    private static Rights rights(String role, String client, String user) throws Exception {
        return parse(ROLES).rights(new Identity(client, Optional.of(user)), Set.of(role));
    }

    private static boolean publishes(Rights rights, String topic, String entity) {
        return rights.mayPublish(topic, Optional.of(EntityId.of(entity)), new Places() {
            @Override
            public List<Category> categories(EntityId id) {
                return id.value().startsWith("road/") ? List.of(Category.of("road/major")) : List.of();
            }

            @Override
            public boolean contains(NeighborhoodId neighborhood, EntityId id) {
                return neighborhood.equals(descriptor(ZONE).id()) && id.value().endsWith("in-zone");
            }
        });
    }

    private static boolean publishes(Rights rights, String topic) {
        return rights.mayPublish(topic, Optional.empty(), Places.NONE);
    }

    private static NeighborhoodDescriptor descriptor(String text) {
        try {
            return DESCRIPTORS.parse(text);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean subscribes(Rights rights, String filter, String... descriptors) {
        return rights.maySubscribe(
                TopicFilter.parse(filter),
                List.of(descriptors).stream().findFirst().map(SecurityFileTest::descriptor));
    }

    @Test
    void shouldGrantPublishingByTopicAndEntity() throws Exception {
        Rights alice = rights("driver", "c1", "alice");
        assertThat(publishes(alice, "traffic/alice/speed", "vehicle/alice")).isTrue();
        assertThat(publishes(alice, "traffic/alice/speed", "trailer/alice/2")).isTrue();
        assertThat(publishes(alice, "cars/car-c1", "vehicle/alice")).isTrue();
        assertThat(publishes(alice, "traffic/alice/speed", "vehicle/bob")).isFalse();
        assertThat(publishes(alice, "traffic/alice/speed", "vehicle/alice2")).isFalse();
        assertThat(publishes(alice, "traffic/bob/speed", "vehicle/alice")).isFalse();
        assertThat(publishes(alice, "traffic/alice/speed")).as("about nothing").isFalse();
        assertThat(publishes(alice, "chat/x")).isTrue();
        assertThat(publishes(alice, "chat/x", "vehicle/alice"))
                .as("about something")
                .isFalse();
        assertThat(subscribes(alice, "chat/x")).as("not said").isFalse();
    }

    @Test
    void shouldGrantPublishingByCategoryAndNeighborhoodTogether() throws Exception {
        Rights works = rights("road-works", "c", "u");
        assertThat(publishes(works, "works/now", "road/1/in-zone")).isTrue();
        assertThat(publishes(works, "works/now", "road/1")).isFalse();
        assertThat(publishes(works, "works/now", "house/1/in-zone")).isFalse();
        assertThat(parse(ROLES).neighborhoods()).containsExactly(descriptor(ZONE));
        assertThat(parse(ROLES).asksForCategories()).isTrue();
    }

    @Test
    void shouldLetNoNameWidenAGrant() throws Exception {
        for (String name : List.of("#", "+", "a/#", "a/b", "", "$share", "\0")) {
            assertThat(rights("driver", name, name).equals(rights("driver", "#", "+")))
                    .as("nothing but the grant without a name is left for '" + name + "'")
                    .isTrue();
            assertThat(publishes(rights("driver", name, name), "traffic/a/b", "vehicle/a"))
                    .isFalse();
            assertThat(subscribes(rights("watcher", name, name), "own/x")).isFalse();
        }
        assertThat(publishes(rights("driver", "c", "*"), "traffic/*/x", "vehicle/bob"))
                .isFalse();
        assertThat(publishes(rights("driver", "x".repeat(65_535), "alice"), "chat/x"))
                .isTrue();
        Policy policy = parse(ROLES);
        assertThat(publishes(
                        policy.rights(new Identity("c", Optional.empty()), Set.of("driver")), "traffic//x", "vehicle/"))
                .as("anonymous")
                .isFalse();
    }

    @Test
    void shouldGrantSubscribingBySyntaxAlone() throws Exception {
        Rights watcher = rights("watcher", "c", "u");
        assertThat(subscribes(watcher, "traffic/a", ZONE)).isTrue();
        assertThat(subscribes(watcher, "traffic/a")).as("plain").isFalse();
        assertThat(subscribes(watcher, "traffic/a", ZONE.replace("17", "18"))).isFalse();
        assertThat(subscribes(watcher, "traffic/a", ZONE.replace(",\"detector\"", "")))
                .as("a part of it, which only the world can tell")
                .isFalse();
        assertThat(subscribes(watcher, "#", ZONE)).isFalse();
        String parking = ZONE.replace("\"road\",\"detector\"", "\"parking/lot\"");
        assertThat(subscribes(watcher, "parking/x", parking)).isTrue();
        assertThat(subscribes(watcher, "parking/x", ZONE)).isFalse();
        String overRoads = "{\"stages\":[{\"references\":[\"zone/17\"],\"categories\":[\"road\"]},"
                + "{\"from\":[0],\"categories\":[\"parking\"]}],\"select\":[%s]}";
        assertThat(subscribes(watcher, "parking/x", overRoads.formatted("1")))
                .as("roads are a way only")
                .isTrue();
        assertThat(subscribes(watcher, "parking/x", overRoads.formatted("0,1"))).isFalse();
        String fromParking =
                overRoads.replace("parking", "x").replace("road", "parking").replace("\"x\"", "\"road\"");
        assertThat(subscribes(watcher, "parking/x", fromParking.formatted("0"))).isTrue();
        assertThat(subscribes(watcher, "parking/x", fromParking.formatted("0,1")))
                .isFalse();
        assertThat(subscribes(watcher, "own/u")).isTrue();
        assertThat(subscribes(rights("all", "c", "u"), "#")).isTrue();
        assertThat(subscribes(rights("all", "c", "u"), "a", ZONE)).isTrue();
        assertThat(subscribes(rights("nobody", "c", "u"), "a")).isFalse();
    }

    @Test
    void shouldReportAllThatIsWrongTogether() {
        String bad =
                """
                users:
                  alice: {password: secret, roles: [driver, pilot], rolls: [x]}
                  bob: {}
                neighborhoods:
                  bad: {stages: []}
                jwt: {issuer: i, algorithms: [none, HS256], jwks-url: 'http://example.com/keys', clock-skew-seconds: 1h}
                takeover: never
                roles:
                  driver:
                    publish:
                      - {topics: ['a/#/b', '${user}', '$share/g/a']}
                      - {topics: a, about: {entities: ['car-${clientid}*'], neighborhoods: [nowhere]}}
                      - {topics: a, about: {}}
                      - {about: anything}
                    subscribe:
                      - {topics: a, within: {places: [b]}}
                uesrs: {}
                """;
        assertThatThrownBy(() -> parse(bad))
                .isInstanceOf(BadSecurityFileException.class)
                .hasMessageContainingAll(
                        "users.alice.password: is no bcrypt or Argon2id hash",
                        "users.alice.roles: has 'pilot', which is no role of this file",
                        "users.alice.rolls: is no key here",
                        "users.bob.roles: is missing",
                        "neighborhoods.bad: $.stages",
                        "jwt.audience: is missing",
                        "jwt.algorithms: has 'none'",
                        "jwt.algorithms: has 'HS256'",
                        "jwt.jwks-url: is 'http://example.com/keys', expected https",
                        "jwt.clock-skew-seconds: expected a number",
                        "takeover: is 'never', expected same-user or anyone",
                        "roles.driver.publish[0].topics: topic filter has '#' at index 2",
                        "roles.driver.publish[0].topics: has ${user}, expected ${clientid} or ${username}",
                        "roles.driver.publish[0].topics: begins with $share",
                        "roles.driver.publish[1].about.entities: has '*' after a variable",
                        "roles.driver.publish[1].about.neighborhoods: 'nowhere' is not among the neighborhoods",
                        "roles.driver.publish[2].about: expected entities, categories or neighborhoods",
                        "roles.driver.publish[3].topics: is missing",
                        "roles.driver.subscribe[0].within.places: is no key here",
                        "uesrs: is no key here")
                .hasMessageNotContaining("secret");
    }

    @Test
    void shouldRefuseWhatIsNoSuchFile() {
        assertThatThrownBy(() -> parse("roles: {a: {}\n")).isInstanceOf(BadSecurityFileException.class);
        assertThatThrownBy(() -> parse("")).hasMessageContaining("expected a mapping");
        assertThatThrownBy(() -> parse("roles: {}\nroles: {}\n")).hasMessageContaining("uplicate");
        assertThatThrownBy(() -> parse("users: [alice]")).hasMessageContaining("users: expected a mapping");
        assertThatThrownBy(() -> parse("roles: {a: x}")).hasMessageContaining("roles.a: expected a mapping");
    }
}
