import OffstagePages

/// The JSON Schema of an annotation file, the sidecar beside a document.
package enum AnnotationSchema {
    package static var text: String {
        SchemaText.document(
            title: "Offstage annotation file",
            description:
                "The annotations of a PDF document, in a file beside it: DOCUMENT.pdf.annotations.json. A missing value means its default.",
            """
              "type": "object",
              "properties": {
            \(file.joined(separator: ",\n"))
              },
              "required": ["version"],
              "$defs": {
            \(definitions.joined(separator: ",\n"))
              }
            """)
    }

    private static let pages =
        "\"type\": \"object\", \"propertyNames\": { \"pattern\": \"^[1-9][0-9]*$\" }, \"additionalProperties\""

    private static let file = [
        SchemaText.property("version", "\"const\": 1", "The version of the format"),
        SchemaText.property(
            "pages", "\(pages): { \"type\": \"array\", \"items\": { \"$ref\": \"#/$defs/annotation\" } }",
            "The annotations of each page, by its number from 1, in the order in which they are drawn"),
        SchemaText.property(
            "removed", "\(pages): { \"type\": \"array\", \"items\": { \"type\": \"string\" } }",
            "The identifiers of the document's own annotations that saving deletes, by page. An annotation with the "
                + "same identifier in 'pages' replaces the document's own"),
    ]

    private static let definitions = [
        object(
            "point",
            "A point of the page as it is shown: fractions of its width from the left, and of its height from the top",
            required: ["x", "y"], ["x", "y"].map { property($0, number) }),
        object(
            "part", "A rectangle of the page as it is shown, in fractions of its width and height",
            required: ["x", "y", "width", "height"], ["x", "y", "width", "height"].map { property($0, number) }),
        object(
            "color", "A colour without transparency", required: ["red", "green", "blue"],
            ["red", "green", "blue"].map { property($0, byte) }),
        object(
            "pen", "The look of ink whose width changes, or that is translucent",
            required: ["widths", "opacity", "isHighlighter"],
            [
                property(
                    "widths", list(list(size)),
                    "For each stroke, the width at each position, in points; if empty, all have the annotation's width"),
                property("opacity", byte),
                property(
                    "isHighlighter", "\"type\": \"boolean\"",
                    "True for a highlighter, which darkens the content below it"),
            ]),
        object(
            "annotation", "An annotation, as the PDF standard defines it", required: ["kind", "part"], annotation),
    ]

    private static let annotation = [
        property("kind", SchemaText.words(PageAnnotation.Kind.allCases.map(\.rawValue)), "The kind"),
        property("part", reference("part"), "The bounding box of all marks and strokes"),
        property("marks", list(reference("part")), "The lines of marked text"),
        property(
            "strokes", list(list(reference("point"))),
            "The lines of ink; the points of a line, a polygon or a polyline"),
        property(
            "color", reference("color"),
            "The colour of the ink, the line, the mark, the symbol or the text; default black"),
        property("width", size, "The width of ink and lines, in points; default 1"),
        property(
            "pen", "\"anyOf\": [{ \(reference("pen")) }, { \"type\": \"null\" }]", "Default: an even, opaque line"),
        property("text", words, "The text, or a comment; default none"),
        property(
            "identifier", "\(words), \"maxLength\": 1000",
            "The name in the document, unique on its page; by default, saving generates one"),
        property("author", words, "The person who made it; default empty"),
        property("modified", "\(words), \"format\": \"date-time\"", "The time of the last change; default none"),
        property("opacity", "\(number), \"minimum\": 0, \"maximum\": 1", "Default 1, opaque"),
        property(
            "fontSize", "\(number), \"minimum\": 0.1, \"maximum\": 1000",
            "The font size of a free text, in points; default 12"),
        property(
            "fontFamily", words,
            "The font of a free text: sans-serif (the default), serif or monospace; a family name selects the closest of these"
        ),
        property(
            "alignment", SchemaText.words(PageAnnotation.Alignment.allCases.map(\.rawValue)),
            "The alignment of a free text; default left"),
        property("fill", reference("color"), "The background of a free text, or the inside of a shape; default none"),
        property("borderWidth", size, "The line width of the box around a free text, in points; default 0, no box"),
    ]

    private static let number = "\"type\": \"number\""
    private static let size = "\(number), \"minimum\": 0, \"maximum\": 1000"
    private static let words = "\"type\": \"string\""
    private static let byte = "\"type\": \"integer\", \"minimum\": 0, \"maximum\": 255"

    private static func list(_ items: String) -> String { "\"type\": \"array\", \"items\": { \(items) }" }
    private static func reference(_ name: String) -> String { "\"$ref\": \"#/$defs/\(name)\"" }

    private static func property(_ name: String, _ schema: String, _ help: String? = nil) -> String {
        help.map { SchemaText.property(name, schema, $0) } ?? "    \"\(name)\": { \(schema) }"
    }

    private static func object(
        _ name: String, _ help: String, required: [String], _ properties: [String]
    ) -> String {
        let names = required.map { "\"\($0)\"" }.joined(separator: ", ")
        return """
                "\(name)": {
                  "type": "object",
                  "description": \(SchemaText.json(help)),
                  "properties": {
            \(properties.map { "    " + $0 }.joined(separator: ",\n"))
                  },
                  "required": [\(names)]
                }
            """
    }
}
