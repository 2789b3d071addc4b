package io.hereabouts.bridge.hivemq;

import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.extension.sdk.api.auth.parameter.TopicPermission;
import com.hivemq.extension.sdk.api.packets.auth.DefaultAuthorizationBehaviour;
import com.hivemq.extension.sdk.api.packets.auth.ModifiableDefaultPermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

class PermissionsTest {

    private record Permission(
            String getTopicFilter,
            PermissionType getType,
            Qos getQos,
            MqttActivity getActivity,
            Retain getPublishRetain,
            SharedSubscription getSharedSubscription,
            String getSharedGroup)
            implements TopicPermission {}

    private static TopicPermission permission(
            String filter, TopicPermission.PermissionType type, TopicPermission.MqttActivity activity) {
        return new Permission(
                filter,
                type,
                TopicPermission.Qos.ZERO_ONE,
                activity,
                TopicPermission.Retain.NOT_RETAINED,
                TopicPermission.SharedSubscription.ALL,
                "#");
    }

    private static Permissions permissions(DefaultAuthorizationBehaviour otherwise, TopicPermission... permissions) {
        return new Permissions(new ModifiableDefaultPermissions() {
            @Override
            public List<TopicPermission> asList() {
                return new ArrayList<>(List.of(permissions));
            }

            @Override
            public void add(TopicPermission permission) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void addAll(Collection<? extends TopicPermission> all) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void remove(TopicPermission permission) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void clear() {
                throw new UnsupportedOperationException();
            }

            @Override
            public DefaultAuthorizationBehaviour getDefaultBehaviour() {
                return otherwise;
            }

            @Override
            public void setDefaultBehaviour(DefaultAuthorizationBehaviour behaviour) {
                throw new UnsupportedOperationException();
            }
        });
    }

    @Test
    void shouldAllowWhatIsNotMentionedByDefault() {
        Permissions open = permissions(DefaultAuthorizationBehaviour.ALLOW);
        assertThat(open.mayPublish("a", 1, false)).isTrue();
        assertThat(open.maySubscribe("#", 2)).isTrue();
        Permissions closed = permissions(DefaultAuthorizationBehaviour.DENY);
        assertThat(closed.mayPublish("a", 1, false)).isFalse();
        assertThat(closed.maySubscribe("a", 0)).isFalse();
    }

    @Test
    void shouldFollowTheFirstPermissionThatFits() {
        Permissions some = permissions(
                DefaultAuthorizationBehaviour.DENY,
                permission("a/secret", TopicPermission.PermissionType.DENY, TopicPermission.MqttActivity.ALL),
                permission("a/+", TopicPermission.PermissionType.ALLOW, TopicPermission.MqttActivity.PUBLISH),
                permission("b/#", TopicPermission.PermissionType.ALLOW, TopicPermission.MqttActivity.SUBSCRIBE));
        assertThat(some.mayPublish("a/x", 1, false)).isTrue();
        assertThat(some.mayPublish("a/secret", 1, false)).isFalse();
        assertThat(some.mayPublish("a/x/y", 1, false)).isFalse();
        assertThat(some.mayPublish("a/x", 2, false)).isFalse();
        assertThat(some.mayPublish("a/x", 1, true)).isFalse();
        assertThat(some.mayPublish("b/x", 1, false)).isFalse();
        assertThat(some.maySubscribe("b/x/#", 1)).isTrue();
        assertThat(some.maySubscribe("b", 1)).isTrue();
        assertThat(some.maySubscribe("$share/g/b/+", 1)).isTrue();
        assertThat(some.maySubscribe("#", 1)).isFalse();
        assertThat(some.maySubscribe("a/x", 1)).isFalse();
    }
}
