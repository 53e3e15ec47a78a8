import Offstage

/// How an input is drawn, and the files that its pictures become: what the command line says, or a row on top of it.
final class Settings: Sendable {
    let snippet: SnippetOptions
    /// The picture, then the further files.
    let variants: [ImageVariant]
    /// What it was made of, as `Origin` notes it.
    let note: String

    var isEach: Bool { snippet.selector?.isEach ?? false }

    /// - Parameters:
    ///   - place: the picture's; a file's extension says its format where no option does.
    ///   - commandLine: its options, where a row's are on top of them.
    init(
        _ options: ParsedOptions, place: OutputPlan.Place, commandLine: ParsedOptions? = nil
    ) throws(UsageError) {
        note = Origin.note(options, commandLine: commandLine)
        var format = ImageFormat.png()
        if let text = options.string("format") {
            format = try FormatSpec.format(text[...], of: "--format")
        } else if case .file(let path) = place {
            format = try FormatSpec.format(ofFile: path)
        }
        var variants = [ImageVariant(format)]
        for spec in options.strings("also") { variants.append(try VariantSpec.variant(spec, beside: format)) }
        self.variants = variants
        // How large a picture all of its files can hold.
        snippet = try SnippetOptions(options, limit: variants.compactMap(\.limit).min { $0.side < $1.side })
        if isEach, options.has("output") {
            throw UsageError("--each may give several pictures; use --out FOLDER instead of -o")
        }
    }

    /// For one picture of which nothing but the format matters.
    init(format: ImageFormat) throws(UsageError) {
        variants = [ImageVariant(format)]
        note = ""
        snippet = try SnippetOptions(ParsedOptions(values: [:], operands: []), limit: format.limit)
    }
}
