import Foundation
import Offstage
import OffstageHTML

/// The options for the environment that a document sees, and for style sheets added to it.
extension HTMLOptions {
    static let appearance: [TypedOption<HTMLSettings>] =
        ([
            .init(
                "background", .color,
                help: "Set the background, a CSS colour or transparent (default white; dark grey if dark)"
            ) { $0.snippet.background = $1 }
        ] + emulation + [
            .init("css", .styleSheets, help: "Append a style sheet to the document's own; repeatable") {
                $0.snippet.styleSheets = $1
            }
        ]).grouped(.appearance)

    /// The options that a document can detect.
    package static let emulation: [TypedOption<HTMLSettings>] = [
        .init("color-scheme", .choice, help: "Set prefers-color-scheme (default light)") {
            $0.snippet.emulation.colorScheme = $1
        },
        .init("media", .choice, help: "Apply @media screen or print (default screen)") {
            $0.snippet.emulation.mediaType = $1
        },
        .init("motion", .choice, help: "Set prefers-reduced-motion (default reduce)") {
            $0.snippet.emulation.motion = $1
        },
        .init("contrast", .choice, help: "Set prefers-contrast (default no-preference)") {
            $0.snippet.emulation.contrast = $1
        },
        .init(
            "language",
            .text("TAG", "a language tag such as de or zh-TW") { Emulation.isLanguageTag($0) ? $0 : nil },
            help: "Set the language of documents that name none, such as de or zh-TW"
        ) { $0.snippet.emulation.language = $1 },
        .init(
            "time-zone",
            .text("ZONE", "a zone such as UTC or Europe/Vienna") { Emulation.isTimeZone($0) ? $0 : nil },
            help: "Set the time zone of page scripts, such as Europe/Vienna (default UTC)"
        ) { $0.snippet.emulation.timeZone = $1 },
        .init(
            "font-family", .fontFamily, help: "Set the font of text that names none (default: the machine's sans-serif)"
        ) { $0.snippet.emulation.fonts.family = $1 },
        .init(
            "font-size", .integer(Emulation.fontSizes, "PX"),
            help: "Set the size of text that names none, in CSS px (default 16)"
        ) { $0.snippet.emulation.fonts.size = $1 },
        .init(
            "min-font-size", .integer(Emulation.minimumFontSizes, "PX"),
            help: "Enlarge smaller text to this many CSS px"
        ) { $0.snippet.emulation.fonts.minimumSize = $1 },
    ]
}

extension OptionValue<Color> {
    package static var color: Self {
        .text("COLOR", "a colour such as white, transparent, #1e90ff or rgba(0,0,0,0.5)") { Color(css: $0) }
    }
}

extension OptionValue<String> {
    fileprivate static var fontFamily: Self {
        Self("NAME") { options, name throws(UsageError) in
            if options.string(name) == "" { throw UsageError("--\(name) needs the name of a font family") }
            return options.string(name)
        }
    }
}

extension OptionValue<[String]> {
    /// The contents of files.
    fileprivate static var styleSheets: Self {
        Self("FILE", isList: true) { options, name throws(UsageError) in
            var sheets: [String] = []
            for path in options.strings(name) { sheets.append(try styleSheet(path)) }
            return sheets
        }
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
