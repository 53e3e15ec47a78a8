import Offstage

/// How an input is drawn, and the files that its pictures become: what the command line says, or a row on top of it.
package final class Settings: Sendable {
    /// The options that say which files a picture becomes.
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
    /// What it was made of, as who asks wants it noted.
    package let note: String

    /// Stands among options for the format where they name none; no row and no command line can say it.
    package static let formatByDefault = "format by default"

    package var isEach: Bool { snippet.selector?.isEach ?? false }

    /// - Parameters:
    ///   - file: the picture's, whose extension says the format where no option does; nil where there is none, or several.
    package init(_ options: ParsedOptions, file: String? = nil, note: String = "") throws(UsageError) {
        self.note = note
        let spec = options.string("format")
        var format = ImageFormat.png()
        if let spec, VariantSpec.namesFormat(spec) {
            // It says all.
        } else if let text = options.string(Self.formatByDefault) {
            format = try FormatSpec.format(text[...], of: "--format")
        } else if let file {
            format = try FormatSpec.format(ofFile: file)
        }
        let picture = try spec.map { text throws(UsageError) in try VariantSpec.picture(text, orElse: format) }
        var variants = [picture ?? ImageVariant(format)]
        for spec in options.strings("also") { variants.append(try VariantSpec.variant(spec, beside: variants[0])) }
        self.variants = variants
        // How large a picture all of its files can hold.
        snippet = try SnippetOptions(options, limit: variants.compactMap(\.limit).min { $0.side < $1.side })
        if isEach, options.has("output") {
            throw UsageError("--each may give several pictures; use --out FOLDER instead of -o")
        }
    }

    /// For one picture of which nothing but the format matters.
    package init(format: ImageFormat) throws(UsageError) {
        variants = [ImageVariant(format)]
        note = ""
        snippet = try SnippetOptions(ParsedOptions(), limit: format.limit)
    }
}
