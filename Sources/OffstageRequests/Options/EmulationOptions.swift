import Foundation
import Offstage
import OffstageWebKit

/// The options for the environment that a document sees, and for style sheets added to it.
package struct EmulationOptions: Sendable {
    package static let table: [OptionTable.Option] =
        [
            .init("color-scheme", value: "light|dark", help: "Set prefers-color-scheme (default light)"),
            .init("media", value: "screen|print", help: "Apply @media screen or print (default screen)"),
            .init("motion", value: "reduce|no-preference", help: "Set prefers-reduced-motion (default reduce)"),
            .init("contrast", value: "no-preference|more", help: "Set prefers-contrast (default no-preference)"),
            .init("language", value: "TAG", help: "Set the language of documents that name none, such as de or zh-TW"),
            .init(
                "time-zone", value: "ZONE",
                help: "Set the time zone of page scripts, such as Europe/Vienna (default UTC)"),
            .init(
                "font-family", value: "NAME",
                help: "Set the font of text that names none (default: the machine's sans-serif)"),
            .init("font-size", value: "PX", help: "Set the size of text that names none, in CSS px (default 16)"),
            .init("min-font-size", value: "PX", help: "Enlarge smaller text to this many CSS px"),
            .init(
                "css", value: "FILE", isRepeatable: true,
                help: "Append a style sheet to the document's own; repeatable"),
        ].grouped(.appearance)
        + [.init("javascript", help: "Run page scripts; the network stays closed")].grouped(.loading)

    package let emulation: Emulation
    package let runsScripts: Bool
    private let styleSheets: [String]

    package init(_ options: ParsedOptions) throws(UsageError) {
        var emulation = Emulation()
        emulation.colorScheme = try options.choice("color-scheme") ?? emulation.colorScheme
        emulation.mediaType = try options.choice("media") ?? emulation.mediaType
        emulation.motion = try options.choice("motion") ?? emulation.motion
        emulation.contrast = try options.choice("contrast") ?? emulation.contrast
        if let language = options.string("language") {
            guard Emulation.isLanguageTag(language) else {
                throw UsageError("--language takes a language tag such as de or zh-TW, not '\(language)'")
            }
            emulation.language = language
        }
        if let zone = options.string("time-zone") {
            guard Emulation.isTimeZone(zone) else {
                throw UsageError("--time-zone takes a zone such as UTC or Europe/Vienna, not '\(zone)'")
            }
            emulation.timeZone = zone
        }
        if let family = options.string("font-family") {
            if family.isEmpty { throw UsageError("--font-family takes the name of a font family; it has none") }
            emulation.fonts.family = family
        }
        emulation.fonts.size = try options.integer("font-size", in: Emulation.fontSizes) ?? emulation.fonts.size
        emulation.fonts.minimumSize = try options.integer("min-font-size", in: Emulation.minimumFontSizes) ?? 0
        self.emulation = emulation
        runsScripts = options.has("javascript")
        var styleSheets: [String] = []
        for path in options.strings("css") { styleSheets.append(try Self.styleSheet(path)) }
        self.styleSheets = styleSheets
    }

    package func apply(to snippet: inout Snippet) {
        snippet.emulation = emulation
        snippet.styleSheets = styleSheets
        snippet.runsScripts = runsScripts
    }

    private static func styleSheet(_ path: String) throws(UsageError) -> String {
        let data: Data
        do {
            data = try PlainFile.open(path).readToEnd() ?? Data()
        } catch let error as FileError {
            throw UsageError("--css: \(error)")
        } catch {
            throw UsageError("--css: cannot read \(path)")
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw UsageError("--css: \(path) is not UTF-8; save it as UTF-8")
        }
        return text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
    }
}
