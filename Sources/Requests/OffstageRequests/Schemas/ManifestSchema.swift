/// The JSON Schema of a manifest's row, generated from the tables of the command line. It covers types and names. The
/// program checks the ranges of numbers and the combinations of keys.
package enum ManifestSchema {
    package static var text: String {
        SchemaText.document(
            title: "A row of offstage render --manifest",
            description:
                "One JSON object on a line of its own. Null resets an option of the command line to its default.",
            """
              "type": "object",
              "properties": {
            \((own + RowSettings.table.map(SchemaText.property)).joined(separator: ",\n"))
              },
              "required": ["identifier"],
              \(SchemaText.oneDocument),
              "additionalProperties": false
            """)
    }

    private static let own =
        [
            SchemaText.property(
                "identifier", "\"type\": \"string\", \"minLength\": 1",
                "The picture's path below --out, without extension")
        ]
        + SchemaText.contentKeys(
            file: "The document's file, relative to the manifest's folder, or to the working folder for -")
}
