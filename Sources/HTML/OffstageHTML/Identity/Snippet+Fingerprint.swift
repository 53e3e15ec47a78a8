import Foundation
import Offstage
import Synchronization

extension Snippet {
    /// Adds the snippet's own properties that affect the pixels. Its identifier, its timeout and whether an incomplete picture
    /// is an error do not. The files that it loads are dependencies, which are checked separately.
    package func add(to builder: inout Fingerprint.Builder) {
        builder.add("html", html)
        builder.add("charset", charset)
        builder.add("type", text(type.rawValue))
        // The default charset causes a warning, which is cached with the picture.
        if charsetOrigin == .fallback { builder.add("charset", "by default") }
        for part in SnippetSettings(self).parts { builder.add(part.name, part.content) }
    }
}

/// The properties that many snippets share. Their digests are computed once for consecutive snippets with the same properties.
private struct SnippetSettings: Equatable {
    let geometry: Geometry
    let selector: Snippet.Selector?
    let margins: Margins
    let background: Color?
    let emulation: Emulation
    let styleSheets: [String]
    let runsScripts: Bool
    let medium: Medium
    let findsAreas: Bool
    let keepsAreas: Bool
    let requiresNamedFonts: Bool

    init(_ snippet: Snippet) {
        (geometry, selector, margins) = (snippet.geometry, snippet.selector, snippet.margins)
        (background, emulation, styleSheets) = (snippet.background, snippet.emulation, snippet.styleSheets)
        (runsScripts, medium, findsAreas) = (snippet.runsScripts, snippet.medium, snippet.findsAreas)
        keepsAreas = snippet.keepsAreas
        requiresNamedFonts = snippet.requiresNamedFonts
    }

    /// Swift compares characters, so two encodings of an é are equal. A fingerprint is made of bytes.
    private func hasSameBytes(as other: SnippetSettings) -> Bool {
        self == other && zip(texts, other.texts).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
    }

    private var texts: [String] {
        [selector?.css, emulation.language, emulation.timeZone, emulation.fonts.family].compactMap(\.self) + styleSheets
    }

    private static let last = Mutex<(settings: SnippetSettings, parts: [(name: String, content: Digest)])?>(nil)

    /// In the order of the fingerprint.
    var parts: [(name: String, content: Digest)] {
        let last = Self.last.withLock { $0 }
        if let last, last.settings.hasSameBytes(as: self) { return last.parts }
        let parts = makeParts()
        Self.last.withLock { $0 = (self, parts) }
        return parts
    }

    private func makeParts() -> [(name: String, content: Digest)] {
        var parts: [(name: String, content: Digest)] = []
        func add(_ name: String, _ text: String) { parts.append((name, Digest(of: text))) }
        add("geometry", text(geometry.width, geometry.shrinksToFit, geometry.height, geometry.minimumHeight))
        add("geometry", text(geometry.maximumHeight, geometry.resolvedViewportHeight, geometry.scale))
        // Distinguishes an explicit height of 1 px from the default.
        add("geometry", text(geometry.viewportHeight != nil))
        add("selector", text(selector?.css, selector?.isEach, selector?.outset))
        add("margins", text(margins.isTrimmed, margins.padding, margins.color.map(text)))
        add("background", text(background.map(text)))
        add(
            "emulation",
            text(emulation.colorScheme.rawValue, emulation.mediaType.rawValue, emulation.motion.rawValue)
                + text(emulation.contrast.rawValue, emulation.language, emulation.timeZone)
                + text(emulation.fonts.family, emulation.fonts.size, emulation.fonts.minimumSize))
        for sheet in styleSheets { add("style sheet", sheet) }
        add("scripts", text(runsScripts))
        if medium != .pixels { add("medium", "\(medium)") }
        if findsAreas { parts.append(("areas", Self.areas)) }
        // A vector drawing always finds the areas, but its result includes them only on request.
        if keepsAreas, medium != .pixels { add("areas", "in the result") }
        // This decides whether a picture exists at all.
        add("strict fonts", text(requiresNamedFonts))
        return parts
    }

    /// The version of the area search. It leaves the fingerprints of pictures without areas unchanged.
    private static let areas = Digest(of: Data(PackageResources.content_js))
}

/// A text that differs for different values. Quotes in strings are escaped.
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
