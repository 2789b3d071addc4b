package io.hereabouts.resolver.exporting;

import java.util.List;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** The lines below a map that say what is what, and a scale bar. For one thread and one scene. */
final class MapLegend {

    private static final double LINE = 18;
    private static final double MARGIN = 8;
    private static final double SIZE = 12;

    private final NeighborhoodScene scene;
    private final MapProjection projection;
    private final XMLStreamWriter xml;

    MapLegend(NeighborhoodScene scene, MapProjection projection, XMLStreamWriter xml) {
        this.scene = scene;
        this.projection = projection;
        this.xml = xml;
    }

    double height() {
        return 2 * MARGIN + scene.layers().size() * LINE;
    }

    void write() throws XMLStreamException {
        xml.writeStartElement("g");
        Svg.attributes(xml, "font-size", SIZE, "fill", "#222222");
        Svg.line(xml);
        xml.writeEmptyElement("path");
        Svg.attributes(
                xml,
                "d",
                "M0 " + SvgPaths.number(projection.height()) + "h" + SvgPaths.number(projection.width()),
                "stroke",
                "#c8c8c8");
        Svg.line(xml);
        double y = projection.height() + MARGIN;
        for (SceneLayer layer : scene.layers()) {
            line(layer, y);
            y += LINE;
        }
        scale(projection.height() + MARGIN);
        xml.writeEndElement();
        Svg.line(xml);
    }

    private void line(SceneLayer layer, double top) throws XMLStreamException {
        xml.writeEmptyElement("rect");
        Svg.attributes(xml, "x", MARGIN, "y", top + 2, "width", SIZE, "height", SIZE);
        Svg.style(xml, LayerStyle.of(layer), 2);
        Svg.text(xml, layer.caption(), MARGIN + SIZE + 6, top + SIZE);
    }

    /** The longest bar of 1, 2 or 5 times a power of ten metres that a quarter of the width has room for. */
    private void scale(double top) throws XMLStreamException {
        double metres = longest(projection.metres() * projection.width() / 4);
        double length = metres / projection.metres();
        double right = projection.width() - MARGIN;
        double y = top + SIZE + 8;
        xml.writeEmptyElement("path");
        Svg.attributes(
                xml,
                "d",
                "M" + SvgPaths.number(right - length) + " " + SvgPaths.number(y - 4) + "v4h" + SvgPaths.number(length)
                        + "v-4",
                "fill",
                "none",
                "stroke",
                "#222222");
        Svg.line(xml);
        Svg.text(xml, words(metres), right - length / 2, top + SIZE, "text-anchor", "middle");
    }

    static double longest(double metres) {
        double power = 1e-3;
        while (power * 10 <= metres) {
            power *= 10;
        }
        for (int step : List.of(5, 2)) {
            if (step * power <= metres) {
                return step * power;
            }
        }
        return power;
    }

    private static String words(double metres) {
        return metres >= 1000 ? Math.round(metres / 1000) + " km" : Math.round(metres) + " m";
    }
}
