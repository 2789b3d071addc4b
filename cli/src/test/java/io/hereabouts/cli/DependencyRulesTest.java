package io.hereabouts.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Who may see what; ARCHITECTURE.md has the picture. */
@AnalyzeClasses(packages = "io.hereabouts", importOptions = DoNotIncludeTests.class)
class DependencyRulesTest {

    private static final String[] FEATURES = {
        "io.hereabouts.resolver..", "io.hereabouts.router..", "io.hereabouts.bridge..", "io.hereabouts.replay.."
    };

    @ArchTest
    static final ArchRule modelSeesTheJdkAndJtsOnly = classes()
            .that()
            .resideInAPackage("io.hereabouts.model..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("io.hereabouts.model..", "java..", "org.locationtech.jts..", "org.jspecify..");

    @ArchTest
    static final ArchRule schemasSeesTheModelOnly = noClasses()
            .that()
            .resideInAPackage("io.hereabouts.schemas..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(FEATURES);

    @ArchTest
    static final ArchRule featuresDoNotSeeEachOther = slices().matching(
                    "io.hereabouts.(resolver|router|bridge|replay)..")
            .should()
            .notDependOnEachOther();

    @ArchTest
    static final ArchRule featuresDoNotSeeWhoWiresThem = noClasses()
            .that()
            .resideInAnyPackage(FEATURES)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.hereabouts.launcher..",
                    "io.hereabouts.cli..",
                    "io.hereabouts.perf..",
                    "io.hereabouts.testkit..");

    @ArchTest
    static final ArchRule onlyTheBridgeSeesTheBroker = noClasses()
            .that()
            .resideOutsideOfPackage("io.hereabouts.bridge..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("com.hivemq.extension..", "com.hivemq.embedded..", "com.hivemq.configuration..");

    @ArchTest
    static final ArchRule onlyKafkaPackagesAndTheRouterSeeKafka = noClasses()
            .that()
            .resideOutsideOfPackages("..kafka..", "io.hereabouts.router..", "org.apache.kafka..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.kafka..", "kafka..");

    /** The harness measures against SQL of its own, on a database of its own. */
    @ArchTest
    static final ArchRule onlyPostgisWorldAndItsHarnessSeeJdbc = noClasses()
            .that()
            .resideOutsideOfPackages("io.hereabouts.resolver.postgis..", "io.hereabouts.perf.postgis..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..", "javax.sql..", "org.postgresql..", "com.zaxxer..", "org.flywaydb..");

    @ArchTest
    static final ArchRule nothingButTheCommandSeesSqlOfTheHarness = noClasses()
            .that()
            .resideOutsideOfPackages("io.hereabouts.perf.postgis..", "io.hereabouts.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.hereabouts.perf.postgis..");
}
