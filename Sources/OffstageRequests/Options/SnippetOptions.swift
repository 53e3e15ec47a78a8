import Foundation
import Offstage
import OffstageWebKit

/// The drawing options of a snippet, the same for all snippets of a run.
package struct SnippetOptions: Sendable {
    package static let table: [OptionTable.Option] =
        [
            .init("fragment", help: "Complete HTML that is not a whole document: standards mode, no margin"),
            .init(
                "type", value: "html|xhtml|svg",
                help: "Parse the document as this (default: by the file's extension, else html)"),
            .init(
                "charset", value: "NAME",
                help: "Read the document's bytes in this charset (default: what it declares, else UTF-8)"),
        ].grouped(.input)
        + [
            .init(
                "width", value: "PX|fit",
                help: "Lay out this wide, in CSS px (default 400); fit is as wide as the content"),
            .init("max-width", value: "PX", help: "Limit --width fit to this many CSS px (default 800)"),
            .init(
                "height", value: "PX", help: "Make the picture this high, in CSS px (default: as high as the content)"),
            .init("min-height", value: "PX", help: "Make the picture at least this high, in CSS px"),
            .init("max-height", value: "PX", help: "Cut the picture off at this height, in CSS px"),
            .init(
                "viewport-height", value: "PX",
                help: "Let 100vh be this many CSS px (default: --height, --min-height or 1)"),
            .init("scale", value: "N", help: "Render N device px for each CSS px, 0.25 to 3 (default 1)"),
            .init("selector", value: "CSS", help: "Render only the first visible element that matches"),
            .init("each", help: "Render every visible element that --selector matches"),
            .init("trim", help: "Cut off edges that show only the top left pixel's colour"),
            .init("padding", value: "PX", help: "Add this many CSS px of background around the picture"),
            .init("areas", help: "Report links, elements with an id, and the text, in --json and --results"),
        ].grouped(.size)
        + [
            .init(
                "background", value: "COLOR",
                help: "Put this CSS colour, or transparent, behind the document (default white; dark grey if dark)")
        ].grouped(.appearance) + EmulationOptions.table
        + [
            .init("base", value: "FOLDER", help: "Resolve relative URLs in FOLDER (default: the input file's folder)"),
            .init("timeout", value: "SECONDS", help: "Wait this long for a document's files (default 10)"),
            .init("strict", help: "Fail if a picture lacks something"),
            .init("strict-fonts", help: "Fail if the first font family of a text is missing"),
        ].grouped(.loading)

    /// The valid values of `--scale`.
    package static let scales = 0.25...3.0

    private let isFragment: Bool
    private let type: Snippet.DocumentType?
    private let charset: String?
    package let geometry: Geometry
    package let selector: Snippet.Selector?
    private let margins: Margins
    private let background: Color?
    private let emulation: EmulationOptions
    private let timeout: Double
    private let isStrict: Bool
    private let isStrictWithFonts: Bool
    private let base: BaseFolder?
    private let keepsAreas: Bool
    package let limits: SnippetLimits

    /// - Parameter limit: the largest picture that its files can contain.
    package init(_ options: ParsedOptions, limit: FormatLimit?) throws(UsageError) {
        isFragment = options.has("fragment")
        type = try options.choice("type")
        charset = options.string("charset")
        if let charset, !Snippet.isCharset(charset) {
            throw UsageError("--charset takes a name of the Encoding standard, such as windows-1252, not '\(charset)'")
        }
        geometry = try Self.geometry(options, limit: limit)
        selector = try Self.selector(options)
        background = try options.color("background")
        let padding = try options.integer("padding", in: 0...10_000) ?? 0
        margins = Margins(isTrimmed: options.has("trim"), padding: padding)
        emulation = try EmulationOptions(options)
        timeout = try Self.timeout(options)
        isStrict = options.has("strict")
        isStrictWithFonts = options.has("strict-fonts")
        base = try Self.base(options)
        keepsAreas = options.has("areas")
        limits = try LimitOptions(options).snippet
    }

    /// Applies the options to a snippet.
    package func apply(to snippet: inout Snippet) {
        snippet.set(type: type, charset: charset)
        if isFragment { snippet.completeDocument() }
        snippet.geometry = geometry
        snippet.selector = selector
        snippet.margins = margins
        snippet.background = background
        emulation.apply(to: &snippet)
        snippet.timeout = timeout
        snippet.limits = limits
        snippet.requiresComplete = isStrict
        snippet.requiresNamedFonts = isStrictWithFonts
        snippet.keepsAreas = keepsAreas
        if let base { snippet.base = base }
    }

    /// The time limit of a drawing, seconds.
    static func timeout(_ options: ParsedOptions) throws(UsageError) -> Double {
        try options.positive("timeout", upTo: 86_400) ?? 10
    }

    private static func geometry(_ options: ParsedOptions, limit: FormatLimit?) throws(UsageError) -> Geometry {
        let side = 1...32_767
        var geometry = Geometry(formatLimit: limit)
        if options.string("width") == "fit" {
            geometry.shrinksToFit = true
            geometry.width = try options.integer("max-width", in: side) ?? 800
        } else if options.has("max-width") {
            throw UsageError("--max-width goes with --width fit only")
        } else if let width = try options.integer("width", in: side) {
            geometry.width = width
        }
        if let height = try options.integer("height", in: side) { geometry.height = .fixed(height) }
        geometry.minimumHeight = try options.integer("min-height", in: side)
        geometry.maximumHeight = try options.integer("max-height", in: side)
        if options.has("height"), options.has("min-height") || options.has("max-height") {
            throw UsageError("--height is fixed and needs no --min-height or --max-height; use one or the other")
        }
        if let low = geometry.minimumHeight, let high = geometry.maximumHeight, low > high {
            throw UsageError("--min-height \(low) is more than --max-height \(high); exchange them")
        }
        geometry.viewportHeight = try options.integer("viewport-height", in: side)
        geometry.scale = try options.number("scale", in: scales) ?? 1
        return geometry
    }

    private static func selector(_ options: ParsedOptions) throws(UsageError) -> Snippet.Selector? {
        guard let css = options.string("selector") else {
            if options.has("each") { throw UsageError("--each goes with --selector only") }
            return nil
        }
        return Snippet.Selector(css, isEach: options.has("each"))
    }

    private static func base(_ options: ParsedOptions) throws(UsageError) -> BaseFolder? {
        guard let path = options.string("base") else { return nil }
        var info = stat()
        guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFDIR else {
            throw UsageError("--base \(path) is not a folder; name the one that relative URLs start from")
        }
        return BaseFolder(path)
    }
}
