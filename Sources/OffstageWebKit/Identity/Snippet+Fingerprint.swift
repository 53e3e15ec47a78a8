import Foundation
import Offstage

extension Snippet {
    /// What the snippet itself decides of the pixels. Not in it: its identifier, how long it may take, whether what is missing
    /// is an error, and the files that it loads, which are dependencies.
    func add(to builder: inout Fingerprint.Builder) {
        builder.add("html", html)
        builder.add("charset", charset)
        builder.add("type", text(type.rawValue))
        // The warning is kept with the picture.
        if charsetOrigin == .fallback { builder.add("charset", "by default") }
        builder.add("geometry", text(geometry.width, geometry.shrinksToFit, geometry.height, geometry.minimumHeight))
        builder.add("geometry", text(geometry.maximumHeight, geometry.resolvedViewportHeight, geometry.scale))
        builder.add("selector", text(selector?.css, selector?.isEach))
        builder.add("margins", text(margins.isTrimmed, margins.padding, margins.color.map(text)))
        builder.add("background", text(background.map(text)))
        builder.add(
            "emulation",
            text(emulation.colorScheme.rawValue, emulation.mediaType.rawValue, emulation.motion.rawValue)
                + text(emulation.contrast.rawValue, emulation.language, emulation.timeZone)
                + text(emulation.fonts.family, emulation.fonts.size, emulation.fonts.minimumSize))
        for sheet in styleSheets { builder.add("style sheet", sheet) }
        builder.add("scripts", text(runsScripts))
        if medium != .pixels { builder.add("medium", "\(medium)") }
        if findsAreas { builder.add("areas", Self.areas) }
        // It decides whether there is a picture at all.
        builder.add("strict fonts", text(requiresNamedFonts))
    }

    /// How they are found: pictures without them are the same as before.
    private static let areas = Digest(of: Data(PackageResources.content_js))

    /// Values in words that differ where the values do; quotes in texts are escaped.
    private func text(_ values: Any?...) -> String {
        values.map { value in
            switch value {
            case nil: "-"
            case let text as String: text.debugDescription
            case let value?: "\(value)"
            }
        }.joined(separator: ",") + ";"
    }

    private func text(_ color: Color) -> String { text(color.red, color.green, color.blue, color.alpha) }
}
