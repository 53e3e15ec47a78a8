import Foundation
import Offstage
import OffstageWebKit

/// The options that say how a snippet is drawn, the same for all snippets of a run.
package struct SnippetOptions: Sendable {
    package static let table: [OptionTable.Option] =
        [
            .init("fragment", help: "HTML that is no whole document gets one: standards mode, no margin"),
            .init("width", value: "PX|fit", help: "CSS px, default 400; fit is as wide as the content"),
            .init("max-width", value: "PX", help: "CSS px; the most that --width fit takes; default 800"),
            .init("height", value: "PX", help: "CSS px; default as high as the content"),
            .init("min-height", value: "PX", help: "CSS px; at least so high"),
            .init("max-height", value: "PX", help: "CSS px; cut off what is below"),
            .init(
                "viewport-height", value: "PX",
                help: "CSS px that 100vh stands for; default --height, --min-height or 1"),
            .init("scale", value: "N", help: "Device px to a CSS px, 0.25 to 3; default 1"),
            .init("selector", value: "CSS", help: "Only the first visible element that matches"),
            .init("each", help: "A picture of every visible element that --selector matches"),
            .init("trim", help: "Cut off edges that have nothing but the top left pixel's colour"),
            .init("padding", value: "PX", help: "CSS px of the background around the picture"),
            .init("areas", help: "Tell links, elements with an id, and the text, in --json and --results"),
            .init(
                "background", value: "COLOR",
                help: "Behind the document: a CSS colour or transparent; default white (dark: dark grey)"),
        ] + EmulationOptions.table + [
            .init("base", value: "FOLDER", help: "Where relative URLs lead; default the file's own folder"),
            .init("timeout", value: "SECONDS", help: "Draw without what has not loaded by then; default 10"),
            .init("strict", help: "A picture that lacks something is a failure"),
            .init("strict-fonts", help: "A font family that is named first and not there is a failure"),
        ]

    /// What `--scale` takes.
    package static let scales = 0.25...3.0

    private let isFragment: Bool
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

    /// - Parameter limit: how large a picture its files can hold.
    package init(_ options: ParsedOptions, limit: FormatLimit?) throws(UsageError) {
        isFragment = options.has("fragment")
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

    /// Sets what the command line says.
    package func apply(to snippet: inout Snippet) {
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

    /// Seconds.
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
