package io.hereabouts.schemas.ops;

import java.util.List;
import java.util.Optional;

/** A component that can be asked how it is. Thread-safe; each question is answered from what is so at that moment. */
public interface HealthCheck {

    /** Why it will not do its work again in this process; empty as long as it may. Answers at once. */
    Optional<String> dead();

    /** Why it does not do its work now, a line each; empty if it does. May ask others and take a few seconds. */
    List<String> notReady();
}
