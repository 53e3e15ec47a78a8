import Offstage

/// The options of one source's documents, and the files of their pictures: from the command line, or from a row that overrides it.
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

    /// The options that all sources have.
    package static let common = filesTable + InkOverlay.table

    /// All options, for a machine that makes the same settings from them.
    package let options: ParsedOptions
    /// The options of the run, for a document that turns out to be for another source.
    package let run: ParsedOptions
    package let source: RegisteredSource
    private let sourceSettings: any SourceSettings
    private let overlay: InkOverlay?
    /// Device px per CSS px.
    package let scale: Double
    /// True: a document may have several pictures.
    package let isEach: Bool
    /// The picture, then the further files.
    package let variants: [FileVariant]
    /// The note that the caller stores with the picture, about its origin.
    package let note: String
    /// Warnings about options of the row that have no effect, for the row's result.
    package let withoutEffect: [DrawingWarning]

    /// The key of the default format among options. No row and no command line can contain it.
    package static let formatByDefault = "format by default"

    /// The valid values of `--scale`.
    package static let scales = 0.25...3.0

    /// - Parameters:
    ///   - source: the documents' source.
    ///   - file: the picture's file, whose extension gives the format if no option does; nil if there is no file, or
    ///     several.
    ///   - withoutEffect: warnings about the row's options. Default none.
    ///   - run: the options of the run, if `options` contains only those that the source accepts. Default `options`.
    package init(
        _ options: ParsedOptions, of source: RegisteredSource = SourceRegistry.first, file: String? = nil,
        note: String = "", run: ParsedOptions? = nil, withoutEffect: [DrawingWarning] = []
    ) throws(UsageError) {
        (self.options, self.source, self.note) = (options, source, note)
        self.run = run ?? options
        self.withoutEffect = withoutEffect
        let spec = options.string("format")
        var format = FileFormat.png()
        if let spec, VariantSpec.namesFormat(spec) {
            // The user's option is complete: nothing has to be added.
        } else if let text = options.string(Self.formatByDefault) {
            format = try FormatSpec.format(text[...], of: "--format")
        } else if let file {
            format = try FormatSpec.format(ofFile: file)
        }
        let picture = try spec.map { text throws(UsageError) in try VariantSpec.picture(text, orElse: format) }
        var variants = [picture ?? FileVariant(format)]
        for spec in options.strings("also") { variants.append(try VariantSpec.variant(spec, beside: variants[0])) }
        self.variants = variants
        scale = try options.number("scale", in: Self.scales) ?? 1
        isEach = options.has("each")
        sourceSettings = try source.settings(options, variants[0].limit)
        try sourceSettings.check(options, for: variants.map(\.format))
        overlay = try InkOverlay(options)
        if overlay != nil, let other = variants.first(where: { $0.format.medium != .pixels }) {
            throw UsageError(
                "--ink draws pixels, and the format \(other.format.name) has none; use png, jpeg, webp or raw")
        }
        if isEach, options.has("output") {
            throw UsageError("--each may give several pictures; use --out FOLDER instead of -o")
        }
    }

    /// Reads a document and makes a request of it. Call it off the main thread.
    ///
    /// - Parameters:
    ///   - document: a document of the settings' source.
    ///   - identifier: the name of the picture in the cache.
    package func request(
        for document: SourceDocument, identifier: String
    ) throws(SourceFileError) -> any DrawingRequest {
        try request(for: document, sourceSettings, identifier)
    }

    /// Like `request(for:identifier:)`, even for a document that has turned out to be for another source.
    package func request(
        forAnySource document: SourceDocument, identifier: String
    ) throws -> any DrawingRequest {
        try request(for: document, try sourceSettings(for: document.source), identifier)
    }

    /// The settings of a source.
    package func sourceSettings(for other: RegisteredSource) throws -> any SourceSettings {
        if other === source { return sourceSettings }
        return try other.settings(OptionUse(run).options(for: other), variants[0].limit)
    }

    private func request(
        for document: SourceDocument, _ settings: any SourceSettings, _ identifier: String
    ) throws(SourceFileError) -> any DrawingRequest {
        let request = try settings.request(for: document, identifier: identifier)
        guard let overlay, let page = settings.overlayPage else { return settings.boxed(request) }
        return settings.boxed(try overlay.request(over: request, page: page))
    }

    /// The largest document, bytes.
    package var inputLimit: Int { sourceSettings.inputLimit }
}
