import CWebKitGTK
import Foundation
import Offstage

/// The last step of a drawing that is not made of pixels: WebKit prints what it would paint.
extension WebStage {
    func printVector(_ scene: Scene, _ first: Readiness) async throws -> Drawing {
        let snippet = scene.snippet
        guard case .vector(let paper) = snippet.medium else { throw DrawingError.invalidRequest("it is for pixels") }
        do throws(EngineUnavailable) { try SharedLibrary.harfBuzzSubset.load() } catch {
            throw DrawingError.unavailable(error)
        }
        let sheet = try await prepareSheet(for: snippet.geometry, marksLinks: paper != nil)
        let readiness = sheet.merged > 0 ? try await report("report", scene, isInterruptible: false) : first
        let warnings = scene.warnings(readiness) + sheet.warnings
        if snippet.requiresComplete, warnings.contains(where: \.code.isDefect) {
            throw DrawingError.incomplete(warnings)
        }
        let background = background(of: snippet, readiness)

        var drawing: Drawing
        if let paper {
            let layout = PrintLayout(width: paper.content.width, height: paper.content.height)
            let image = try await printedPages(layout, on: paper, sheet.marks)
            drawing = Drawing(pictures: [.vector(image.on(background))], scale: 1, warnings: warnings)
        } else {
            let frame = try PictureFrame(snippet, readiness, limits)
            try frame.checkVector()
            let layout = PrintLayout(of: snippet.geometry, readiness, width: sheet.width)
            let document = try await printed(layout)
            var images = frame.vectorImages(of: document, layout, readiness.content).map { $0.on(background) }
            if VectorImage.needsPixelsInSVG(document) {
                try await addPixels(to: &images, frame, background, areMoving: snippet.runsScripts)
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

    /// What `print.js` says.
    private struct Sheet: Decodable {
        /// CSS px that nothing goes beyond.
        var width: Int
        /// How many elements lost their columns.
        var merged: Int
        var targets: [String]?
        var names: [String]?

        var marks: VectorImage.Marks { VectorImage.Marks(targets: targets ?? [], names: names ?? []) }

        var warnings: [DrawingWarning] {
            let elements = merged == 1 ? "1 element" : "\(merged) elements"
            return merged == 0 ? [] : [DrawingWarning(.columnsMerged, elements)]
        }
    }

    private func prepareSheet(for geometry: Geometry, marksLinks: Bool) async throws -> Sheet {
        let source = String(decoding: PackageResources.print_js, as: UTF8.self)
        let json = try await outcome(isInterruptible: false) {
            evaluate("return (\(source))(\(geometry.width), \(marksLinks ? Self.colors : "undefined"))", $0)
        }.get()
        do { return try JSONDecoder().decode(Sheet.self, from: Data(json.utf8)) } catch {
            throw DrawingError.engineFailed("the document cannot be prepared for printing")
        }
    }

    /// Of marks, as `print.js` takes them.
    private static let colors = """
        { link: \(VectorImage.MarkKind.link.rawValue), name: \(VectorImage.MarkKind.name.rawValue), \
        mask: \(VectorImage.markMask) }
        """

    private func printedPages(
        _ layout: PrintLayout, on paper: Paper, _ marks: VectorImage.Marks
    ) async throws -> VectorImage {
        try await Self.pages(of: try await printed(layout), pointsPerPixel: layout.pointsPerPixel, on: paper, marks)
    }

    /// Off the main thread: all pages are looked through for marks.
    @concurrent
    private nonisolated static func pages(
        of document: Data, pointsPerPixel: Double, on paper: Paper, _ marks: VectorImage.Marks
    ) async throws(DrawingError) -> VectorImage {
        do throws(EncodingError) {
            return try VectorImage(document: document, pointsPerPixel: pointsPerPixel, on: paper, marks: marks)
        } catch { throw .encodingFailed(error) }
    }

    private func printed(_ layout: PrintLayout) async throws -> Data {
        // What stands behind is the encoders': on a page WebKit would paint it as far as the document goes.
        set(background: .transparent)
        var job: PrintJob?
        var failure: DrawingError?
        // Gone before the next drawing: it tells nobody anything then.
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

    /// For who cannot paint what the document says. One that is too large for a snapshot gets none.
    private func addPixels(
        to images: inout [VectorImage], _ frame: PictureFrame, _ background: Color, areMoving: Bool
    ) async throws {
        guard case .snapshot(let region) = frame.way else { return }
        set(background: background)
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
