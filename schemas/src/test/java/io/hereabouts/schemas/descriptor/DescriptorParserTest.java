package io.hereabouts.schemas.descriptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hereabouts.model.neighborhood.InvalidDescriptorException;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.neighborhood.Quantifier;
import io.hereabouts.model.neighborhood.Reference;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.io.WKTReader;

class DescriptorParserTest {

    private final DescriptorParser parser = new DescriptorParser(DescriptorLimits.DEFAULT);

    static Stream<String> good() {
        return Descriptors.good();
    }

    static Stream<Descriptors.Bad> bad() {
        return Descriptors.bad();
    }

    @ParameterizedTest
    @MethodSource("good")
    void shouldTakeAndGiveBackWhatItTook(String json) throws Exception {
        NeighborhoodDescriptor descriptor = parser.parse(json);
        NeighborhoodDescriptor again = parser.parse(descriptor.canonicalText());
        assertThat(again).isEqualTo(descriptor);
        assertThat(again.id()).isEqualTo(descriptor.id());
    }

    @ParameterizedTest
    @MethodSource("bad")
    void shouldRefuseNamingPathAndProblem(Descriptors.Bad bad) {
        InvalidDescriptorException e =
                catchThrowableOfType(InvalidDescriptorException.class, () -> parser.parse(bad.json()));
        assertThat(e).isNotNull();
        assertThat(e.path()).isEqualTo(bad.path());
        assertThat(e).hasMessageStartingWith(bad.path() + ": ").hasMessageContaining(bad.problem());
        assertThat(e.getMessage())
                .as("fits into a reason string")
                .hasSizeLessThan(400)
                .doesNotContain("\n");
    }

    /** Key order, white space, number form, order and repeats of set-like lists, case and prefix of relations. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{\"stages\":[{\"references\":[\"a\",\"b\"],\"categories\":[\"x\",\"y\"],\"where\":{\"relation\":\"dwithin\",\"distance\":50}}]}"
                        + "|{ \"stages\" : [ { \"where\":{\"distance\":5.0e1,\"relation\":\"ST_Near\"}, \"categories\":[\"y\",\"x\"],\"references\":[\"b\",\"a\",\"b\"] } ], \"select\":[0] }",
                "{\"stages\":[{\"references\":[\"a\"],\"categories\":[\"x\"]}]}"
                        + "|{\"stages\":[{\"references\":[\"a\"],\"categories\":[\"x\",\"x/y\"],\"where\":{\"relation\":\"Intersects\"},\"match\":\"any\"}],\"select\":[0.0]}",
                "{\"stages\":[{\"references\":[{\"wkt\":\"POLYGON ((0 0, 0 1, 1 1, 1 0, 0 0))\"}],\"categories\":[\"x\"]}]}"
                        + "|{\"stages\":[{\"references\":[{\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[1,1,7],[1,0,7],[0,0,7],[0,1,7],[1,1,7]]]}}],\"categories\":[\"x\"]}]}",
                "{\"stages\":[{\"references\":[{\"wkt\":\"POINT (0 1)\"}],\"categories\":[\"x\"]}]}"
                        + "|{\"stages\":[{\"references\":[{\"wkt\":\"point(-0.0 1.000)\"}],\"categories\":[\"x\"]}]}",
                "{\"stages\":[{\"references\":[\"a\"],\"categories\":[\"x\"],\"where\":{\"relation\":\"relate\",\"pattern\":\"T*F**F***\"}}]}"
                        + "|{\"stages\":[{\"references\":[\"\\u0061\"],\"categories\":[\"x\"],\"where\":{\"pattern\":\"t*f**f***\",\"relation\":\"RELATE\"}}]}",
            })
    void shouldGiveOneIdentityToWhatMeansTheSame(String one, String other) throws Exception {
        assertThat(parser.parse(other).canonicalText())
                .isEqualTo(parser.parse(one).canonicalText());
        assertThat(parser.parse(other).id()).isEqualTo(parser.parse(one).id());
    }

    @Test
    void shouldReadWhatIsThere() throws Exception {
        NeighborhoodDescriptor d = parser.parse(
                "{\"stages\":[{\"references\":[\"zone/17\",{\"wkt\":\"POINT(1 2)\"}],\"categories\":[\"road\"],\"match\":\"all\"}]}");
        assertThat(d.stages()).singleElement().satisfies(stage -> {
            assertThat(stage.match()).isEqualTo(Quantifier.ALL);
            assertThat(stage.references())
                    .hasAtLeastOneElementOfType(Reference.ToEntity.class)
                    .contains(new Reference.ToGeometry("POINT (1 2)"));
        });
        assertThat(d.select()).containsExactly(0);
    }

    @ParameterizedTest
    @CsvSource({
        "POINT (0.30000000000000004 -0.12345678901234568)",
        "POINT (1E-7 51.4778)",
        "POINT (-1E-16 5E-324)",
        "POINT (-179.99999999999997 1.2345678901234567E-14)"
    })
    void shouldKeepEveryDigitOfAGeometry(String wkt) throws Exception {
        NeighborhoodDescriptor d =
                parser.parse("{\"stages\":[{\"references\":[{\"wkt\":\"" + wkt + "\"}],\"categories\":[\"road\"]}]}");
        Reference kept = d.stages().get(0).references().get(0);
        Coordinate sent = new WKTReader().read(wkt).getCoordinate();
        Coordinate there =
                new WKTReader().read(((Reference.ToGeometry) kept).wkt()).getCoordinate();
        assertThat(there.x).isEqualTo(Math.abs(sent.x) < 1e-15 ? 0 : sent.x);
        assertThat(there.y).isEqualTo(Math.abs(sent.y) < 1e-15 ? 0 : sent.y);
    }

    @Test
    void shouldHoldTheLimitsItWasGiven() throws Exception {
        DescriptorParser narrow = new DescriptorParser(new DescriptorLimits(100, 1, 1, 1, 1));
        String fits = "{\"stages\":[{\"references\":[\"a\"],\"categories\":[\"x\"]}]}";
        assertThat(narrow.parse(fits)).isNotNull();
        assertThat(narrow.parse(fits + " ".repeat(100 - fits.length()))).isNotNull();
        assertThat(catchThrowableOfType(
                        InvalidDescriptorException.class, () -> narrow.parse(fits + " ".repeat(101 - fits.length()))))
                .hasMessage("$: descriptor has 101 bytes, the limit is 100");
    }

    @Test
    void shouldReportAllLimitsThatAreWrongTogether() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DescriptorLimits(0, -1, 0, 0, 0))
                .withMessage("neighborhood.max-bytes is '0', expected at least 1"
                        + "; neighborhood.max-stages is '-1', expected at least 1"
                        + "; neighborhood.max-references is '0', expected at least 1"
                        + "; neighborhood.max-categories is '0', expected at least 1"
                        + "; neighborhood.max-depth is '0', expected at least 1");
    }

    /** A client's text must not be able to do more than be refused. */
    @Test
    void shouldRefuseSpoiledTextWithNothingButARefusal() {
        SplittableRandom random = new SplittableRandom(23);
        int refused = 0;
        for (int i = 0; i < 8_000; i++) {
            StringBuilder text = new StringBuilder(Descriptors.random(random));
            for (int n = random.nextInt(4); n > 0; n--) {
                int at = random.nextInt(text.length());
                switch (random.nextInt(3)) {
                    case 0 -> text.deleteCharAt(at);
                    case 1 -> text.setCharAt(at, "{}[]\",:0-eE.\\ux\0".charAt(random.nextInt(16)));
                    default -> text.insert(at, text.substring(at, Math.min(text.length(), at + random.nextInt(30))));
                }
            }
            try {
                NeighborhoodDescriptor d = parser.parse(text.toString());
                assertThat(parser.parse(d.canonicalText())).isEqualTo(d);
            } catch (InvalidDescriptorException e) {
                assertThat(e.path()).startsWith("$");
                refused++;
            }
        }
        assertThat(refused).isBetween(3_000, 7_800);
    }

    @Test
    void shouldRefuseGeometriesNestedWithoutEnd() {
        String wkt = "GEOMETRYCOLLECTION (".repeat(1_500) + "POINT (1 2)" + ")".repeat(1_500);
        String json = "{\"stages\":[{\"references\":[{\"wkt\":\"" + wkt + "\"}],\"categories\":[\"x\"]}]}";
        InvalidDescriptorException e = catchThrowableOfType(InvalidDescriptorException.class, () -> parser.parse(json));
        assertThat(e).hasMessage("$.stages[0].references[0].wkt: nested deeper than 32");
    }
}
