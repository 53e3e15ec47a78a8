import Foundation
import Offstage
import OffstageHTML

/// The options of HTML documents. A new option needs a line here, a property of `Snippet` that is part of its
/// fingerprint, and the code that draws it.
package enum HTMLOptions {
    /// The options that rows may have, too.
    package static let table = input + size + appearance + loading
    static let all = table + limits

    private static let input: [TypedOption<HTMLSettings>] = [
        .init("fragment", help: "Complete HTML that is not a whole document: standards mode, no margin") {
            $0.isFragment = true
        },
        .init("type", .choice, help: "Parse the document as this (default: by the file's extension, else html)") {
            $0.type = $1
        },
        .init(
            "charset",
            .text("NAME", "a name of the Encoding standard, such as windows-1252") {
                Snippet.isCharset($0) ? $0 : nil
            },
            help: "Read the document's bytes in this charset (default: the one that it declares, else UTF-8)"
        ) { $0.charset = $1 },
    ].grouped(.input)

    private static let size: [TypedOption<HTMLSettings>] =
        ([
            .init(
                "width", .width, help: RequestOptions.widthHelp
            ) {
                $0.snippet.geometry.shrinksToFit = $1 == nil
                $0.snippet.geometry.width = $1 ?? 800
            },
            .init(
                "max-width", .integer(RequestOptions.side, "PX"),
                help: "Limit --width fit to this many CSS px (default 800)"
            ) {
                $0.snippet.geometry.width = $1
            },
            .init(
                "height", .integer(RequestOptions.side, "PX"), help: RequestOptions.heightHelp
            ) { $0.snippet.geometry.height = .fixed($1) },
            .init("fit", .choice, help: RequestOptions.fitHelp) { $0.fit = $1 },
            .init(
                "min-height", .integer(RequestOptions.side, "PX"),
                help: "Make the picture at least this high, in CSS px"
            ) {
                $0.snippet.geometry.minimumHeight = $1
            },
            .init(
                "max-height", .integer(RequestOptions.side, "PX"), help: "Cut the picture off at this height, in CSS px"
            ) {
                $0.snippet.geometry.maximumHeight = $1
            },
            .init(
                "viewport-height", .integer(RequestOptions.side, "PX"),
                help: "Let 100vh be this many CSS px (default: --height, or the content's)"
            ) { $0.snippet.geometry.viewportHeight = $1 },
            RequestOptions.scale(\.snippet.geometry.scale),
            .init(
                "selector",
                .text("CSS", "a CSS selector such as h1, .total or #main > p") {
                    SelectorSyntax.isWrong($0) ? nil : $0
                },
                help: "Render only the first visible element that matches"
            ) {
                $0.snippet.selector = Snippet.Selector($1)
            },
            .init("each", help: "Render every visible element that --selector matches") {
                $0.snippet.selector?.isEach = true
            },
            .init(
                "outset", .integer(0...10_000, "PX"),
                help: "With --selector: add this many CSS px of the page around the element, such as its shadow"
            ) { $0.snippet.selector?.outset = $1 },
        ] + RequestOptions.edges(\.snippet.margins) + [RequestOptions.areas(\.snippet.keepsAreas)]).grouped(.size)

    private static let loading: [TypedOption<HTMLSettings>] = [
        .init("javascript", help: "Run page scripts; the network stays closed") { $0.snippet.runsScripts = true },
        .init("base", .folder, help: "Resolve relative URLs in FOLDER (default: the input file's folder)") {
            $0.base = $1
        },
        RequestOptions.timeout(\.snippet.timeout), RequestOptions.strict(\.snippet.requiresComplete),
        .init("strict-fonts", help: "Fail if the first font family of a text is missing") {
            $0.snippet.requiresNamedFonts = true
        },
    ].grouped(.loading)

    /// The combinations of options that make no sense.
    static func check(_ options: ParsedOptions, _ snippet: Snippet) throws(UsageError) {
        let geometry = snippet.geometry
        if options.has("max-width"), !geometry.shrinksToFit {
            throw UsageError("--max-width requires --width fit")
        }
        if options.has("height"), options.has("min-height") || options.has("max-height") {
            throw UsageError("--height cannot be combined with --min-height or --max-height; use one or the other")
        }
        if let low = geometry.minimumHeight, let high = geometry.maximumHeight, low > high {
            throw UsageError("--min-height \(low) is more than --max-height \(high); exchange them")
        }
        if options.has("each"), snippet.selector == nil { throw UsageError("--each requires --selector") }
        if options.has("outset"), snippet.selector == nil { throw UsageError("--outset requires --selector") }
    }
}

extension OptionValue<Int?> {
    /// CSS px; nil for `fit`.
    fileprivate static var width: Self {
        Self("PX|fit") { options, name throws(UsageError) in
            if options.string(name) == "fit" { return .some(nil) }
            guard let width = try options.integer(name, in: 1...32_767, or: "fit") else { return nil }
            return .some(width)
        }
    }
}

extension OptionValue<BaseFolder> {
    fileprivate static var folder: Self {
        Self("FOLDER") { options, name throws(UsageError) in
            guard let path = options.string(name) else { return nil }
            var info = stat()
            guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFDIR else {
                throw UsageError("--\(name) \(path) is not a folder; give the folder that relative URLs refer to")
            }
            return BaseFolder(path)
        }
    }
}
