package io.hereabouts.resolver.world;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jspecify.annotations.Nullable;
import org.locationtech.jts.geom.CoordinateFilter;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKTReader;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * The test cases of the JTS Topology Suite in its own XML: {@code <case>} with geometries {@code <a>}, {@code <b>} and
 * assertions {@code <op name arg1 arg2 arg3>result</op>}. Their plane is wider than lon/lat, so each case is divided by a
 * power of two that makes it fit: a double loses nothing by that, and topology does not change.
 */
final class RelationSuite {

    private static final double WIDEST = 180;
    private static final double HIGHEST = 90;

    private RelationSuite() {}

    /** One case; {@code name} is its file and its number there, from 1. */
    record Case(String name, Geometry a, @Nullable Geometry b, List<Assertion> assertions) {}

    /**
     * One assertion.
     *
     * @param aFirst false if the operation is called on B with A as its argument
     * @param argument the third argument: a matrix or a distance; empty if there is none
     */
    record Assertion(String operation, boolean aFirst, String argument, String expected) {}

    /** The cases of all XML files below the folder, by file name. */
    static List<Case> in(Path folder) {
        List<Case> cases = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file :
                    files.filter(f -> f.toString().endsWith(".xml")).sorted().toList()) {
                cases.addAll(read(file, folder.relativize(file).toString()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return cases;
    }

    private static List<Case> read(Path file, String name) throws IOException {
        try {
            DocumentBuilder xml = DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder();
            Document document = xml.parse(file.toFile());
            NodeList nodes = document.getElementsByTagName("case");
            List<Case> cases = new ArrayList<>();
            for (int i = 0; i < nodes.getLength(); i++) {
                cases.add(toCase((Element) nodes.item(i), name + ":" + (i + 1)));
            }
            return cases;
        } catch (ParserConfigurationException | SAXException | ParseException e) {
            throw new IllegalStateException(file.toString(), e);
        }
    }

    private static Case toCase(Element element, String name) throws ParseException {
        Geometry a = geometry(element, "a");
        Geometry b = geometry(element, "b");
        if (a == null) {
            throw new IllegalStateException(name + " has no geometry A");
        }
        double divisor = Math.max(divisor(a), b == null ? 1 : divisor(b));
        shrink(a, divisor);
        if (b != null) {
            shrink(b, divisor);
        }
        List<Assertion> assertions = new ArrayList<>();
        NodeList ops = element.getElementsByTagName("op");
        for (int i = 0; i < ops.getLength(); i++) {
            Element op = (Element) ops.item(i);
            assertions.add(new Assertion(
                    op.getAttribute("name"),
                    op.getAttribute("arg1").equalsIgnoreCase("a"),
                    op.getAttribute("arg3"),
                    op.getTextContent().strip()));
        }
        return new Case(name, a, b, assertions);
    }

    private static @Nullable Geometry geometry(Element element, String tag) throws ParseException {
        NodeList found = element.getElementsByTagName(tag);
        return found.getLength() == 0
                ? null
                : new WKTReader().read(found.item(0).getTextContent());
    }

    private static double divisor(Geometry geometry) {
        double[] divisor = {1};
        geometry.apply((CoordinateFilter) c -> {
            while (isBeyond(c.x / divisor[0], WIDEST) || isBeyond(c.y / divisor[0], HIGHEST)) {
                divisor[0] *= 2;
            }
        });
        return divisor[0];
    }

    private static boolean isBeyond(double value, double most) {
        return Double.isFinite(value) && Math.abs(value) > most;
    }

    private static void shrink(Geometry geometry, double divisor) {
        geometry.apply((CoordinateFilter) c -> {
            double x = c.x / divisor;
            double y = c.y / divisor;
            if (Double.compare(x * divisor, c.x) != 0 || Double.compare(y * divisor, c.y) != 0) {
                throw new IllegalStateException("the division by " + divisor + " is not exact for " + c);
            }
            c.x = x;
            c.y = y;
        });
        geometry.geometryChanged();
    }
}
