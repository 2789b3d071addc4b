package io.hereabouts.perf.kafka;

import io.hereabouts.router.Router;
import io.hereabouts.router.RouterConfig;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** The router as it is. */
final class RouterContender implements Contender {

    private final RouterConfig config;
    private final FunctionCounter publications;
    private final Router router;

    private RouterContender(RouterConfig config, FunctionCounter publications, Router router) {
        this.config = config;
        this.publications = publications;
        this.router = router;
    }

    static Contender start(RouterConfig config) {
        return start(config, new SimpleMeterRegistry());
    }

    static Contender start(RouterConfig config, SimpleMeterRegistry registry) {
        Router router = Router.launch(config, registry);
        return new RouterContender(
                config, registry.get("hereabouts.router.publications").functionCounter(), router);
    }

    @Override
    public String applicationId() {
        return config.group();
    }

    @Override
    public long processed() {
        return (long) publications.count();
    }

    @Override
    public String problem() {
        return router.dead().orElse("");
    }

    @Override
    public void close() {
        router.close();
    }
}
