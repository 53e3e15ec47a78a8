import Offstage
import OffstageHTML
import OffstageRequests
import OffstageShared

/// Draws twelve fixed HTML documents, and a few of each other source. Libraries select some of their code according to
/// the processor, which is not visible in any file, so machines are of one class only if these pixels are the same. A
/// machine that lacks the worker of a source is in a separate class.
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

    private static let svg = """
        <svg xmlns="http://www.w3.org/2000/svg" width="90" height="50"><defs><radialGradient id="g"><stop stop-color="#f60"/>\
        <stop offset="1" stop-color="#039"/></radialGradient></defs><rect width="90" height="50" rx="11" fill="url(#g)"/>\
        <path d="M9 41C20-9 50 60 80 8" fill="none" stroke="#fff" stroke-width="3.7" stroke-dasharray="7 3"/></svg>
        """

    /// Replaces the digest for documents that the machine cannot draw because it lacks a worker or a decoder.
    static let absent = "absent"

    /// Draws the documents, without any cache.
    ///
    /// - Throws: `RenderError` for a machine that cannot draw HTML, or whose processes were killed.
    static func parts(_ renderer: Renderer, _ engines: EngineOptions) async throws -> [ClassPart] {
        // Workers draw while the first view starts.
        async let others = otherParts(renderer, engines)
        var parts = [engine] + HTMLEngine.machineDetails.map { ClassPart(name: $0.name, digest: $0.digest) }
        for (name, html) in documents {
            var snippet = Snippet(html, identifier: "probe/\(name)")
            snippet.geometry.width = 240
            parts.append(ClassPart(name: "pixels/\(name)", digest: try await digest(of: snippet, renderer)))
        }
        var snippet = Snippet(svg, identifier: "probe/svg-document")
        snippet.type = .svg
        parts.append(ClassPart(name: "pixels/svg-document", digest: try await digest(of: snippet, renderer)))
        return parts + (try await others)
    }

    /// One at a time: a second worker of a source would take longer to start than to draw its few documents.
    private static func otherParts(_ renderer: Renderer, _ engines: EngineOptions) async throws -> [ClassPart] {
        let documents = try ProbeDocuments.requests()
        let cache = ProbeCache(documents.map(\.request), renderer)
        if let parts = cache?.parts { return parts }
        // A renderer for the probe alone, whose workers end with it: a service may never need those.
        let renderer = await engines.renderer(views: 1)
        let drawn: Result<[ClassPart], any Error>
        do { drawn = .success(try await parts(of: documents, renderer)) } catch { drawn = .failure(error) }
        await renderer.finish()
        let parts = try drawn.get()
        // A worker may have been installed by the next start.
        if parts.allSatisfy({ $0.digest != absent }) { cache?.keep(parts) }
        return parts
    }

    private static func parts(
        of documents: [(name: String, request: any DrawingRequest)], _ renderer: Renderer
    ) async throws -> [ClassPart] {
        var parts: [ClassPart] = []
        for (name, request) in documents {
            var digest = absent
            do throws(RenderError) { digest = try await Self.digest(of: request, renderer) } catch {
                if !error.reason.isAbsence { throw error }
            }
            parts.append(ClassPart(name: "pixels/\(name)", digest: digest))
        }
        return parts
    }

    private static func digest(of request: any DrawingRequest, _ renderer: Renderer) async throws(RenderError) -> String
    {
        let options = RenderOptions(usesCache: false, storesResult: false)
        return digest(of: try await renderer.pictures(for: request, options: options)[0].pixmap)
    }

    /// The engine's and the fonts' files, without a drawing.
    static var engine: ClassPart { ClassPart(name: "engine-and-fonts", digest: HTMLEngine.machineClass) }

    /// The class that these parts determine: 16 hexadecimal digits.
    static func machineClass(_ parts: [ClassPart]) -> String {
        String(Digest(of: parts.map { "\($0.name) \($0.digest)\n" }.joined()).description.prefix(16))
    }

    /// The parts that differ, by name, and where one of the machines lacks something.
    static func differences(_ here: [ClassPart], _ there: [ClassPart]) -> [String] {
        func absences(_ parts: [ClassPart]) -> Set<String> { Set(parts.filter { $0.digest == absent }.map(\.name)) }
        let (missingHere, missingThere) = (absences(here), absences(there))
        return Set(Set(here).symmetricDifference(there).map(\.name)).sorted().map { name in
            if missingHere.contains(name) { return "\(name) (cannot be drawn here)" }
            return missingThere.contains(name) ? "\(name) (cannot be drawn there)" : name
        }
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

extension DrawingError {
    /// True if the machine permanently lacks the worker for such a document.
    fileprivate var isAbsence: Bool {
        switch self {
        case .unavailable, .unusable: true
        default: false
        }
    }
}
