import Foundation
import Offstage

extension Snippet {
    /// Adds the snippet's own properties that affect the pixels. Its identifier, its timeout and whether an incomplete picture
    /// is an error do not. The files that it loads are dependencies, which are checked separately.
    func add(to builder: inout Fingerprint.Builder) {
        builder.add("html", html)
        builder.add("charset", charset)
        builder.add("type", text(type.rawValue))
        // The default charset causes a warning, which is cached with the picture.
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
        // This decides whether a picture exists at all.
        builder.add("strict fonts", text(requiresNamedFonts))
    }

    /// The version of the area search. It leaves the fingerprints of pictures without areas unchanged.
    private static let areas = Digest(of: Data(PackageResources.content_js))

    /// A text that is different for different values. Quotes in strings are escaped.
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
