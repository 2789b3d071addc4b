package io.hereabouts.resolver.exporting;

import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** What SVG elements are written with. No state. */
final class Svg {

    private Svg() {}

    /** @param namesAndValues numbers are written with one decimal at most */
    static void attributes(XMLStreamWriter xml, Object... namesAndValues) throws XMLStreamException {
        for (int i = 0; i < namesAndValues.length; i += 2) {
            Object value = namesAndValues[i + 1];
            String text = value instanceof Number number ? SvgPaths.number(number.doubleValue()) : value.toString();
            xml.writeAttribute(namesAndValues[i].toString(), text);
        }
    }

    /** How things of one dimension look in a layer. */
    static void style(XMLStreamWriter xml, LayerStyle style, int dimension) throws XMLStreamException {
        attributes(xml, "stroke", style.colour(), "stroke-width", style.width(), "fill", style.colour());
        xml.writeAttribute("fill-opacity", dimension == 0 ? "1" : String.valueOf(style.fill()));
        if (!style.dashes().isEmpty() && dimension > 0) {
            xml.writeAttribute("stroke-dasharray", style.dashes());
        }
    }

    static void text(XMLStreamWriter xml, String text, double x, double y, String... more) throws XMLStreamException {
        xml.writeStartElement("text");
        attributes(xml, "x", x, "y", y);
        attributes(xml, (Object[]) more);
        xml.writeCharacters(printable(text));
        xml.writeEndElement();
        line(xml);
    }

    /** So that differences between pictures can be read. */
    static void line(XMLStreamWriter xml) throws XMLStreamException {
        xml.writeCharacters("\n");
    }

    /** Without the two characters that an entity id may have and XML 1.0 §2.2 may not. */
    static String printable(String text) {
        return text.replace('\uFFFE', '\uFFFD').replace('\uFFFF', '\uFFFD');
    }
}
