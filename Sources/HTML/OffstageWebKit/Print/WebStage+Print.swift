import CWebKitGTK
import Foundation
import Offstage

/// The last step of a vector drawing: WebKit prints the document instead of painting it.
extension WebStage {
    func printVector(_ scene: Scene, _ first: Readiness) async throws -> Drawing {
        let snippet = scene.snippet
        guard case .vector(let paper) = snippet.medium else {
            throw DrawingError.invalidRequest("the request is for pixels, not for a vector picture")
        }
        let geometry = snippet.geometry
        // If the viewport's height is neither given nor found, nothing depends on it.
        let hasViewport = paper == nil && (geometry.viewportHeight != nil || geometry.resolvedViewportHeight > 1)
        let loads = StartedLoads(of: view)
        let sheet = try await prepareSheet(
            for: scene, geometry: geometry, marksLinks: paper != nil,
            height: hasViewport ? geometry.resolvedViewportHeight : nil)
        try await arrival(of: loads, scene)
        var readiness = sheet.merged > 0 ? try await report("report", scene, isInterruptible: false) : first
        readiness.late += loads.pending
        // Resources that the policy blocked are already reported.
        readiness.broken += loads.failed.filter { !readiness.blocked.contains($0) }
        let warnings = scene.warnings(readiness) + sheet.warnings
        if snippet.requiresComplete, warnings.contains(where: \.code.isDefect) {
            throw DrawingError.incomplete(warnings)
        }
        let background = background(of: snippet, readiness)

        var drawing: Drawing
        if let paper {
            let layout = PrintLayout(width: paper.content.width, height: paper.content.height)
            let image = try await printedPages(layout, on: paper, sheet.marks)
            drawing = Drawing(pictures: [.vector(sheet.describing(image).on(background))], scale: 1, warnings: warnings)
        } else {
            let frame = try PictureFrame(snippet, readiness, limits)
            try frame.checkVector()
            let layout = PrintLayout(of: geometry, readiness, width: sheet.width)
            let document = try await printed(layout)
            var images = frame.vectorImages(of: document, layout, readiness.content).map {
                sheet.describing($0).on(background)
            }
            if VectorImage.needsPixelsInSVG(document) {
                try await addPixels(
                    to: &images, frame, background, areMoving: snippet.runsScripts,
                    straysFilters: readiness.straysFilters)
            }
            drawing = Drawing(
                pictures: images.map(Picture.vector), isInParts: snippet.selector?.isEach ?? false, scale: 1,
                warnings: warnings)
            if let content = readiness.content, snippet.keepsAreas {
                drawing.contents = frame.contents(content, in: [])
            }
        }
        drawing.background = background
        drawing.dependencies = scene.dependencies
        return drawing
    }

    /// The result of `print.js`.
    private struct Sheet: Decodable {
        /// A width that no content exceeds, in CSS px.
        var width: Int
        /// Number of elements that lost their columns.
        var merged: Int
        /// The document's own title and language; empty if it has none.
        var title: String
        var language: String
        /// Emoji in the text that consist of several characters.
        var emoji: [String]
        var targets: [String]?
        var names: [String]?

        var marks: VectorImage.Marks { VectorImage.Marks(targets: targets ?? [], names: names ?? []) }

        @MainActor
        func describing(_ image: VectorImage) -> VectorImage {
            var image = image
            image.title = title.isEmpty ? nil : title
            image.language = language.isEmpty ? nil : language
            if !emoji.isEmpty {
                image.emoji = InstalledFonts.colorFonts.mapValues {
                    EmojiFont.glyphs(of: emoji, in: $0.path, index: $0.index)
                }
            }
            return image
        }

        var warnings: [DrawingWarning] {
            let elements = merged == 1 ? "1 element" : "\(merged) elements"
            return merged == 0 ? [] : [DrawingWarning(.columnsMerged, elements)]
        }
    }

    private func prepareSheet(
        for scene: Scene, geometry: Geometry, marksLinks: Bool, height: Int?
    ) async throws -> Sheet {
        let pixels = PageScripts.doubt + PageScripts.pixels
        // Encoding a list of strings cannot fail.
        let doubtful = String(decoding: (try? JSONEncoder().encode(scene.doubtful)) ?? Data("[]".utf8), as: UTF8.self)
        let (colors, height) = (marksLinks ? Self.colors : "undefined", height.map(String.init) ?? "undefined")
        let isCut = geometry.height != .content
        let json = try await outcome(isInterruptible: false) {
            evaluate(
                "\(pixels)\nreturn (\(PageScripts.print))(\(geometry.width), \(colors), \(doubtful), \(height), \(isCut))",
                $0)
        }.get()
        do { return try JSONDecoder().decode(Sheet.self, from: Data(json.utf8)) } catch {
            throw DrawingError.engineFailed("the document cannot be prepared for printing")
        }
    }

    /// Waits until the images that `pixels.js` made WebKit load again have arrived, or the deadline passes.
    private func arrival(of loads: StartedLoads, _ scene: Scene) async throws {
        if scene.isOverdue { return }
        switch await outcome({ loads.whenDone($0) }) {
        case .success, .failure(.deadline): return
        case .failure(let interruption): throw interruption
        }
    }

    /// The colours of marks, as an argument of `print.js`.
    private static let colors = """
        { link: \(VectorImage.MarkKind.link.rawValue), name: \(VectorImage.MarkKind.name.rawValue), \
        mask: \(VectorImage.markMask) }
        """

    private func printedPages(
        _ layout: PrintLayout, on paper: Paper, _ marks: VectorImage.Marks
    ) async throws -> VectorImage {
        try await Self.pages(of: try await printed(layout), pointsPerPixel: layout.pointsPerPixel, on: paper, marks)
    }

    /// Runs off the main thread, because the search for marks covers all pages.
    @concurrent
    private nonisolated static func pages(
        of document: Data, pointsPerPixel: Double, on paper: Paper, _ marks: VectorImage.Marks
    ) async throws(DrawingError) -> VectorImage {
        do throws(EncodingError) {
            return try VectorImage(document: document, pointsPerPixel: pointsPerPixel, on: paper, marks: marks)
        } catch { throw .encodingFailed(error) }
    }

    private func printed(_ layout: PrintLayout) async throws -> Data {
        // The encoders add the background: on a page, WebKit would paint it only as far as the document extends.
        set(background: .transparent)
        var job: PrintJob?
        var failure: DrawingError?
        // Keep the job alive until here, but no longer: it must not reply during the next drawing.
        defer { withExtendedLifetime(job) {} }
        try await outcome(isInterruptible: false) { (reply: Reply<Void>) in
            do throws(DrawingError) {
                job = try PrintJob(of: view, width: layout.paperWidth, height: layout.paperHeight, reply)
                job?.start()
            } catch {
                failure = error
                reply.give(.success(()))
            }
        }.get()
        if let failure { throw failure }
        return try job?.document() ?? Data()
    }

    /// Adds pixels for formats that cannot express everything in the document. A document that is too large for a snapshot gets
    /// none.
    private func addPixels(
        to images: inout [VectorImage], _ frame: PictureFrame, _ background: Color, areMoving: Bool,
        straysFilters: Bool
    ) async throws {
        guard case .snapshot(let region) = frame.way else { return }
        set(background: background)
        if straysFilters { try await hideFilters(outside: frame.snapshot) }
        let surface = try await outcome(isInterruptible: false) { takeSnapshot(region, $0) }.get()
        let pixmap = try Offstage.Pixmap(surface: surface, isOpaque: background.isOpaque)
        for (index, part) in try pixmap.parts(frame.painted, areMoving: areMoving).enumerated() {
            images[index].pixels = VectorImage.Pixels(pixmap: part, window: images[index].pages[0].window)
        }
    }
}

extension VectorImage {
    fileprivate func on(_ background: Color) -> VectorImage {
        var image = self
        image.background = background
        return image
    }
}
