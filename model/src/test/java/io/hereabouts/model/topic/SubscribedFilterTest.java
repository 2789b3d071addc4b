package io.hereabouts.model.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SubscribedFilterTest {

    @Test
    void shouldTellShareNameAndTopicFilterApart() {
        SubscribedFilter shared = SubscribedFilter.parse("$share/group|1/a/+/#");
        assertThat(shared.share()).isEqualTo(new ShareName("group|1"));
        assertThat(shared.topicFilter()).isEqualTo(TopicFilter.parse("a/+/#"));
        SubscribedFilter plain = SubscribedFilter.parse("a/$share/b");
        assertThat(plain.share()).isEqualTo(ShareName.NONE);
        assertThat(plain.topicFilter()).isEqualTo(TopicFilter.parse("a/$share/b"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a", "$share/g/a", "$share/g//", "$share/ü/#", "$share", "$sharex/a", "$share/g/$share/h/a"})
    void shouldGiveBackItsText(String text) {
        assertThat(SubscribedFilter.parse(text).text()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"$share/", "$share/g", "$share/g/", "$share//a", "$share/g+/a", "$share/#/a", "$share/g/a#", ""})
    void shouldRefuseWhatIsMalformed(String text) {
        assertThatThrownBy(() -> SubscribedFilter.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
