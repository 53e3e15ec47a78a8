import Offstage
import OffstageRequests
import OffstageShared
import OffstageWebKit

/// Draws twelve fixed documents. Libraries choose some of their code by the processor, which no file's content shows, so machines
/// are of one class only if these pixels are the same.
enum ClassProbe {
    /// In the order of their names.
    private static let documents: [(name: String, html: String)] = [
        ("latin", "<p style='font: 15px serif'>Hamburgefonstiv <i>fi ffl</i> <b>Ångström</b>"),
        ("greek-cyrillic", "<p style='font: 15px sans-serif'>Ξεσκεπάζω την ψυχή · Съешь ещё булок"),
        ("arabic-hebrew", "<p style='font: 17px serif' dir=rtl>نص حكيم له سر قاطع · דג סקרן שט בים"),
        ("cjk", "<p style='font: 17px sans-serif'>いろはにほへと 我能吞下玻璃 키스의 고유조건은"),
        ("indic-thai", "<p style='font: 17px sans-serif'>ऋषियों को सताने वाले · เป็นมนุษย์สุดประเสริฐ"),
        ("emoji", "<p style='font: 20px sans-serif'>😀 👩‍🚀 🏳️‍🌈 ☂️"),
        (
            "gradients",
            "<div style='height: 60px; background: radial-gradient(circle at 30% 40%, #f06, transparent 60%), linear-gradient(37deg, #09f, #fe3)'>"
        ),
        (
            "filters",
            "<div style='margin: 20px; width: 90px; height: 40px; background: #c63; filter: blur(3px) saturate(1.7) hue-rotate(33deg)'>"
        ),
        (
            "shadows",
            "<div style='margin: 20px; width: 90px; height: 40px; border-radius: 9px; background: #fff; box-shadow: 2px 5px 11px 1px rgba(0, 0, 60, .4)'>"
        ),
        (
            "svg",
            "<svg width=120 height=60><path d='M3 55C30-20 60 90 117 5' fill=none stroke='#175' stroke-width=3.3 /><circle cx=60 cy=30 r=17.7 fill='#93c' opacity=.6 /></svg>"
        ),
        (
            "transforms",
            "<div style='margin: 20px; width: 70px; height: 30px; background: #47a; transform: rotate(13deg) skewX(9deg) scale(1.13); mix-blend-mode: multiply'>"
        ),
        (
            "images",
            "<img width=61 height=47 src='data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR42mP8z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg=='>"
        ),
    ]

    /// Draws the documents, without any cache.
    ///
    /// - Throws: `RenderError` for a machine that cannot draw.
    static func parts(_ renderer: Renderer) async throws -> [ClassPart] {
        var parts = [engine] + WebEngine.machineDetails.map { ClassPart(name: $0.name, digest: $0.digest) }
        for (name, html) in documents {
            var snippet = Snippet(html, identifier: "probe/\(name)")
            snippet.geometry.width = 240
            let options = RenderOptions(usesCache: false, storesResult: false)
            let pixmap = try await renderer.picture(for: snippet, options: options).pixmap
            parts.append(ClassPart(name: "pixels/\(name)", digest: digest(of: pixmap)))
        }
        return parts
    }

    /// The engine's and the fonts' files, without a drawing.
    static var engine: ClassPart { ClassPart(name: "engine-and-fonts", digest: WebEngine.machineClass) }

    /// The class of these parts: 16 hexadecimal digits.
    static func machineClass(_ parts: [ClassPart]) -> String {
        String(Digest(of: parts.map { "\($0.name) \($0.digest)\n" }.joined()).description.prefix(16))
    }

    /// The parts that differ, by name.
    static func differences(_ one: [ClassPart], _ other: [ClassPart]) -> [String] {
        let (one, other) = (Set(one), Set(other))
        return Set(one.symmetricDifference(other).map(\.name)).sorted()
    }

    private static func digest(of pixmap: Pixmap) -> String {
        let digest = Digest(ofTree: { add in
            for y in 0..<pixmap.size.height {
                pixmap.withRow(y) { row in add(UnsafeRawBufferPointer(row)) }
            }
        })
        return String(digest.description.prefix(16))
    }
}
