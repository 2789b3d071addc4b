package io.hereabouts.resolver.exporting;

import io.hereabouts.resolver.exporting.SceneLayer.Thing;
import java.io.StringWriter;
import java.util.Comparator;
import java.util.List;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.locationtech.jts.geom.Coordinate;

/**
 * A scene as SVG 1.1, with the halo of letters as SVG 2 has it: areas below lines below points, and of each what is meant above
 * what surrounds it. For one thread and one scene.
 */
final class MapDrawing {

    private static final int MOST_LABELS = 40;
    private static final int MOST_LABELS_OF_MEANT = 25;
    private static final String SVG = "http://www.w3.org/2000/svg";

    private final NeighborhoodScene scene;
    private final MapProjection projection;
    private final XMLStreamWriter xml;

    private MapDrawing(NeighborhoodScene scene, double width, XMLStreamWriter xml) {
        this.scene = scene;
        this.projection = MapProjection.of(scene.box(), width);
        this.xml = xml;
    }

    /** The map with labels, a legend below it and a scale bar. */
    static String withLegend(NeighborhoodScene scene, double width) {
        return text(xml -> {
            MapDrawing drawing = new MapDrawing(scene, width, xml);
            MapLegend legend = new MapLegend(scene, drawing.projection, xml);
            drawing.begin(drawing.projection.height() + legend.height());
            drawing.map(true);
            legend.write();
            xml.writeEndElement();
        });
    }

    /** The map alone. */
    static String plain(NeighborhoodScene scene, double width) {
        return text(xml -> {
            MapDrawing drawing = new MapDrawing(scene, width, xml);
            drawing.begin(drawing.projection.height());
            drawing.map(false);
            xml.writeEndElement();
        });
    }

    private interface Writing {
        void to(XMLStreamWriter xml) throws XMLStreamException;
    }

    private static String text(Writing writing) {
        StringWriter text = new StringWriter();
        try {
            // the JDK's own, whatever else is on the class path: the text is to be the same everywhere
            XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(text);
            writing.to(xml);
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("writing to memory failed", e);
        }
        return text.append('\n').toString();
    }

    private void begin(double height) throws XMLStreamException {
        xml.writeStartElement("svg");
        xml.writeDefaultNamespace(SVG);
        Svg.attributes(
                xml,
                "width",
                projection.width(),
                "height",
                height,
                "viewBox",
                "0 0 " + SvgPaths.number(projection.width()) + " " + SvgPaths.number(height));
        xml.writeAttribute("font-family", "sans-serif");
        Svg.line(xml);
        xml.writeEmptyElement("rect");
        Svg.attributes(xml, "width", projection.width(), "height", height, "fill", "#ffffff");
        Svg.line(xml);
    }

    private void map(boolean labels) throws XMLStreamException {
        xml.writeStartElement("svg");
        Svg.attributes(xml, "width", projection.width(), "height", projection.height(), "overflow", "hidden");
        Svg.line(xml);
        List<SceneLayer> layers = scene.layers().stream()
                .sorted(Comparator.comparing(SceneLayer::kind))
                .toList();
        for (int dimension = 2; dimension >= 0; dimension--) {
            for (SceneLayer layer : layers) {
                things(layer, dimension);
            }
        }
        if (labels) {
            labels();
        }
        xml.writeEndElement();
        Svg.line(xml);
    }

    private void things(SceneLayer layer, int dimension) throws XMLStreamException {
        List<Thing> things = layer.things().stream()
                .filter(thing -> thing.geometry().getDimension() == dimension)
                .toList();
        if (things.isEmpty()) {
            return;
        }
        LayerStyle style = LayerStyle.of(layer);
        xml.writeStartElement("g");
        Svg.attributes(xml, "stroke-linejoin", "round", "stroke-linecap", "round", "fill-rule", "evenodd");
        Svg.style(xml, style, dimension);
        Svg.line(xml);
        for (Thing thing : things) {
            thing(thing, style);
        }
        xml.writeEndElement();
        Svg.line(xml);
    }

    private void thing(Thing thing, LayerStyle style) throws XMLStreamException {
        SvgPaths paths = SvgPaths.of(thing.geometry(), projection);
        xml.writeStartElement("g");
        xml.writeStartElement("title");
        xml.writeCharacters(Svg.printable(thing.title()));
        xml.writeEndElement();
        if (!paths.areas().isEmpty()) {
            xml.writeEmptyElement("path");
            xml.writeAttribute("d", paths.areas());
        }
        if (!paths.lines().isEmpty()) {
            xml.writeEmptyElement("path");
            Svg.attributes(xml, "d", paths.lines(), "fill", "none");
        }
        for (Coordinate point : paths.points()) {
            xml.writeEmptyElement("circle");
            Svg.attributes(xml, "cx", point.x, "cy", point.y, "r", style.radius());
        }
        xml.writeEndElement();
        Svg.line(xml);
    }

    /** Of all things if they are few, else of what is meant if that is few. */
    private void labels() throws XMLStreamException {
        long meant = count(true);
        boolean all = meant + count(false) <= MOST_LABELS;
        if (!all && meant > MOST_LABELS_OF_MEANT) {
            return;
        }
        MapLabels places = new MapLabels(projection);
        List<SceneLayer> layers = scene.layers().stream()
                .filter(layer -> all || layer.kind().isMeant())
                .sorted(Comparator.comparing(SceneLayer::kind).reversed())
                .toList();
        layers.forEach(layer -> layer.things().forEach(thing -> places.spare(thing.geometry())));
        xml.writeStartElement("g");
        Svg.attributes(
                xml, "font-size", MapLabels.SIZE, "text-anchor", "middle", "stroke", "#ffffff", "stroke-width", 3);
        Svg.attributes(xml, "stroke-linejoin", "round", "paint-order", "stroke", "pointer-events", "none");
        Svg.line(xml);
        for (SceneLayer layer : layers) {
            String colour = layer.kind().isMeant() ? "#222222" : "#8c8c8c";
            for (Thing thing : layer.things()) {
                var place = places.place(thing.label(), thing.geometry());
                if (place.isPresent()) {
                    Svg.text(xml, thing.label(), place.get().x, place.get().y, "fill", colour);
                }
            }
        }
        xml.writeEndElement();
        Svg.line(xml);
    }

    private long count(boolean meant) {
        return scene.layers().stream()
                .filter(layer -> layer.kind().isMeant() == meant)
                .mapToLong(layer -> layer.things().size())
                .sum();
    }
}
