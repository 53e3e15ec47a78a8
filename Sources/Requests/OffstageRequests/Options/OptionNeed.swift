import Foundation
import Offstage

/// An option on which another one depends: the other one has no effect without it, or no effect with it.
struct OptionNeed: Sendable {
    /// `without --axis`, or `with --variant plain`.
    let condition: String
    /// The remedy.
    let remedy: String
    /// The sources for which this is true; nil for all.
    private let sources: Set<String>?
    /// True if only a command line can meet the need, because rows do not have the other option.
    private(set) var isOfRun = false
    private let isMet: @Sendable (ParsedOptions) -> Bool

    private init(
        _ condition: String, _ remedy: String, _ sources: Set<String>?,
        isMet: @escaping @Sendable (ParsedOptions) -> Bool
    ) {
        (self.condition, self.remedy, self.sources, self.isMet) = (condition, remedy, sources, isMet)
    }

    private static func without(
        _ other: String, of sources: Set<String>? = nil, _ isMet: @escaping @Sendable (ParsedOptions) -> Bool
    ) -> OptionNeed {
        OptionNeed("without \(other)", "add the missing option, or leave this one out", sources, isMet: isMet)
    }

    private static func with(
        _ other: String, of sources: Set<String>? = nil, _ isOff: @escaping @Sendable (ParsedOptions) -> Bool
    ) -> OptionNeed {
        OptionNeed("with \(other)", "leave one of them out", sources) { !isOff($0) }
    }

    /// The reason why an option has no effect on any of the sources that have it; nil if it has an effect.
    static func unmet(_ name: String, _ options: ParsedOptions, by holders: [RegisteredSource]) -> OptionNeed? {
        guard let needs = table[name] else { return nil }
        let unmet = holders.map { source in
            needs.first { ($0.sources?.contains(source.name) ?? true) && !$0.isMet(options) }
        }
        return unmet.contains { $0 == nil } ? nil : unmet.first ?? nil
    }

    private static func withResults() -> OptionNeed {
        var need = without("--json or --results") { $0.has("json") || $0.has("results") }
        need.isOfRun = true
        return need
    }

    private static let table: [String: [OptionNeed]] = [
        "fit": [
            // A box such as 800x600 specifies both sides.
            .without("--width and --height") { options in
                options.string("fit").map { PictureBox.Fit(rawValue: $0) == nil } ?? true
                    || options.has("width") && options.has("height")
            }, small,
        ],
        "gravity": [
            .without("--fit cover or --fit contain") { ["cover", "contain"].contains($0.string("fit")) }
        ],
        "areas": [withResults()],
        "background": [.without("--fit contain", of: ["pdf", "ink"]) { $0.string("fit") == "contain" }],
        "width": [small], "height": [small], "clip": [small],
        "ink": [plain], "annotations": [plain],
        "color-scheme": [.with("--format pdf and svg", of: ["html"]) { isVector($0) }],
        "time-zone": [.without("--javascript") { $0.has("javascript") }],
        "fonts": [.without("--axis", of: ["sound"]) { $0.has("axis") }],
        "bar-width": [bars], "bar-gap": [bars], "bar-radius": [bars],
        "line-width": [.without("--waveform line") { $0.string("waveform") == "line" }],
        "no-mirror": [
            .with("--align top or --align bottom") { ["top", "bottom"].contains($0.string("align")) }
        ],
        "played-color": [.without("--played or --pair") { $0.has("played") || $0.has("pair") }],
    ]

    /// True if none of the files has pixels, because WebKit prints in the light scheme.
    private static func isVector(_ options: ParsedOptions) -> Bool {
        let file = options.string("output").map { ($0 as NSString).pathExtension }
        let formats = [options.string("format") ?? file ?? ""] + options.strings("also")
        return formats.allSatisfy { ["pdf", "svg"].contains($0.split(separator: ":").first ?? "") }
    }

    private static let bars = without("--waveform bars") { ["bars", nil].contains($0.string("waveform")) }

    private static let plain = with("--variant plain", of: ["pdf", "ink"]) { $0.string("variant") == "plain" }

    /// A thumbnail of ink has its own box.
    private static let small = with("--variant thumbnail", of: ["ink"]) { $0.string("variant") == "thumbnail" }
}

extension DrawingWarning.Code {
    /// An option of a row or a request has no effect, because of the row's or request's other options.
    package static let optionUnused = Self("option-unused", "an option has no effect: ").with { $0.isDefect = false }
}
