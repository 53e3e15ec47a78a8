import Offstage

/// The drawing options of an input and the files of its pictures, from the command line or from a row that overrides
/// it.
package final class Settings: Sendable {
    /// The options for the files of a picture.
    package static let filesTable: [OptionTable.Option] = [
        .init(
            "format", value: "SPEC",
            help:
                "Write png, jpeg, webp, raw, pdf or svg, with options, or thumb:WxH (default: by the extension of -o, else png)"
        ),
        .init(
            "also", value: "SPEC", isRepeatable: true,
            help: "Write one more file for each picture: a format, thumb:WxH, or a scale such as 2x; repeatable"),
    ].grouped(.output)

    package let snippet: SnippetOptions
    /// The picture, then the further files.
    package let variants: [ImageVariant]
    /// The note that the caller stores with the picture, about its origin.
    package let note: String

    /// The key of the default format among options. No row and no command line can contain it.
    package static let formatByDefault = "format by default"

    package var isEach: Bool { snippet.selector?.isEach ?? false }

    /// - Parameters:
    ///   - file: the picture's file, whose extension gives the format if no option does; nil if there is none, or
    ///     several.
    package init(_ options: ParsedOptions, file: String? = nil, note: String = "") throws(UsageError) {
        self.note = note
        let spec = options.string("format")
        var format = ImageFormat.png()
        if let spec, VariantSpec.namesFormat(spec) {
            // The option is complete.
        } else if let text = options.string(Self.formatByDefault) {
            format = try FormatSpec.format(text[...], of: "--format")
        } else if let file {
            format = try FormatSpec.format(ofFile: file)
        }
        let picture = try spec.map { text throws(UsageError) in try VariantSpec.picture(text, orElse: format) }
        var variants = [picture ?? ImageVariant(format)]
        for spec in options.strings("also") { variants.append(try VariantSpec.variant(spec, beside: variants[0])) }
        self.variants = variants
        // The largest picture that fits all of its files.
        snippet = try SnippetOptions(options, limit: variants.compactMap(\.limit).min { $0.side < $1.side })
        if isEach, options.has("output") {
            throw UsageError("--each may give several pictures; use --out FOLDER instead of -o")
        }
    }

    /// Settings for a single picture for which only the format matters.
    package init(format: ImageFormat) throws(UsageError) {
        variants = [ImageVariant(format)]
        note = ""
        snippet = try SnippetOptions(ParsedOptions(), limit: format.limit)
    }
}
