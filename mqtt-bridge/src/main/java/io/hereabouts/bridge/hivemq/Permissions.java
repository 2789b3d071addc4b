package io.hereabouts.bridge.hivemq;

import com.hivemq.extension.sdk.api.auth.parameter.TopicPermission;
import com.hivemq.extension.sdk.api.auth.parameter.TopicPermission.MqttActivity;
import com.hivemq.extension.sdk.api.auth.parameter.TopicPermission.PermissionType;
import com.hivemq.extension.sdk.api.auth.parameter.TopicPermission.Retain;
import com.hivemq.extension.sdk.api.auth.parameter.TopicPermission.SharedSubscription;
import com.hivemq.extension.sdk.api.packets.auth.DefaultAuthorizationBehaviour;
import com.hivemq.extension.sdk.api.packets.auth.ModifiableDefaultPermissions;

/**
 * What a client may do, by the default permissions that a security extension gave it. Answers as HiveMQ's own check
 * does; that one is not asked for what an interceptor takes, nor where an authorizer decides. Thread-safe.
 */
final class Permissions {

    private final ModifiableDefaultPermissions permissions;

    Permissions(ModifiableDefaultPermissions permissions) {
        this.permissions = permissions;
    }

    boolean mayPublish(String topic, int qos, boolean retain) {
        for (TopicPermission permission : permissions.asList()) {
            boolean retainFits = permission.getPublishRetain() == Retain.ALL
                    || permission.getPublishRetain() == (retain ? Retain.RETAINED : Retain.NOT_RETAINED);
            if (retainFits && implies(permission, MqttActivity.PUBLISH, topic, qos)) {
                return permission.getType() == PermissionType.ALLOW;
            }
        }
        return byDefault();
    }

    /** @param topicFilter as the client sent it, {@code $share/group/} included */
    boolean maySubscribe(String topicFilter, int qos) {
        String group = null;
        String filter = topicFilter;
        if (topicFilter.startsWith(SHARE)) {
            int slash = topicFilter.indexOf('/', SHARE.length());
            if (slash > 0) {
                group = topicFilter.substring(SHARE.length(), slash);
                filter = topicFilter.substring(slash + 1);
            }
        }
        for (TopicPermission permission : permissions.asList()) {
            SharedSubscription shared = permission.getSharedSubscription();
            boolean sharedFits = shared == SharedSubscription.ALL
                    || shared == (group == null ? SharedSubscription.NOT_SHARED : SharedSubscription.SHARED);
            boolean groupFits = group == null
                    || "#".equals(permission.getSharedGroup())
                    || group.equals(permission.getSharedGroup());
            if (sharedFits && groupFits && implies(permission, MqttActivity.SUBSCRIBE, filter, qos)) {
                return permission.getType() == PermissionType.ALLOW;
            }
        }
        return byDefault();
    }

    private static final String SHARE = "$share/";

    private boolean byDefault() {
        return permissions.getDefaultBehaviour() == DefaultAuthorizationBehaviour.ALLOW;
    }

    private static boolean implies(TopicPermission permission, MqttActivity activity, String topic, int qos) {
        boolean activityFits = permission.getActivity() == MqttActivity.ALL || permission.getActivity() == activity;
        return activityFits && qosFits(permission.getQos(), qos) && topicFits(permission.getTopicFilter(), topic);
    }

    private static boolean qosFits(TopicPermission.Qos permitted, int qos) {
        return switch (permitted) {
            case ALL -> true;
            case ZERO -> qos == 0;
            case ONE -> qos == 1;
            case TWO -> qos == 2;
            case ZERO_ONE -> qos != 2;
            case ZERO_TWO -> qos != 1;
            case ONE_TWO -> qos != 0;
        };
    }

    /** Level by level; a subscribed wildcard is covered by a wildcard only. */
    private static boolean topicFits(String permitted, String topic) {
        String[] want = stripEnd(permitted).split("/", -1);
        String[] have = stripEnd(topic).split("/", -1);
        for (int i = 0; i < want.length; i++) {
            if (want[i].equals("#")) {
                return true;
            }
            if (i >= have.length) {
                return false;
            }
            boolean fits = want[i].equals("+") ? !have[i].equals("#") : want[i].equals(have[i]);
            if (!fits) {
                return false;
            }
        }
        return want.length == have.length;
    }

    private static String stripEnd(String topic) {
        int end = topic.length();
        while (end > 1 && topic.charAt(end - 1) == '/') {
            end--;
        }
        return topic.substring(0, end);
    }
}
