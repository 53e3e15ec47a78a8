import COffstageSystem
import Foundation
import Offstage
import OffstageImages
import OffstagePages
import OffstageWorkers

/// The picture under the ink, if it could be drawn.
struct InkBackgroundDrawing: Sendable {
    var pixmap: Pixmap?
    var warnings: [DrawingWarning] = []
    var dependencies: [Dependency] = []
    var trust: [DrawingTrust] = []
}

/// Draws backgrounds in other formats with their engines.
final class InkBackgrounds: Sendable {
    let pages: PageEngine
    let images: ImageEngine

    convenience init(workers: Int, jail: WorkerJail, fresh: FreshWorkers) {
        self.init(
            PageEngine(workers: workers, jail: jail, fresh: fresh),
            ImageEngine(workers: workers, jail: jail, fresh: fresh))
    }

    init(_ pages: PageEngine, _ images: ImageEngine) { (self.pages, self.images) = (pages, images) }

    /// - Returns: a picture of the page's size, or a warning with the reason why it is missing.
    func draw(_ data: Data, under page: InkPage, _ request: InkDrawing) async throws(DrawingError)
        -> InkBackgroundDrawing
    {
        do throws(DrawingError) {
            let drawing: Drawing
            switch page.background {
            case .paper: return InkBackgroundDrawing()
            case .document(_, let number): drawing = try await draw(PageDocument(data), number, page, request)
            case .image: drawing = try await draw(data, page, request)
            }
            return InkBackgroundDrawing(
                pixmap: drawing.pixmaps.first, warnings: drawing.warnings, trust: drawing.trust)
        } catch {
            switch error {
            // These errors concern this machine or the whole run, not the background.
            case .unavailable, .cancelled: throw error
            default:
                return InkBackgroundDrawing(
                    warnings: [DrawingWarning(.imageBroken, "the background", reason: error.description)])
            }
        }
    }

    private func draw(
        _ document: PageDocument, _ number: Int, _ page: InkPage, _ request: InkDrawing
    ) async throws(DrawingError) -> Drawing {
        let size = page.size(request)
        var below = DocumentPage(document, page: number)
        below.scale = request.scale
        // The page's own size, which is also the size of the ink, unless the document was replaced.
        below.fit = FitBox(width: max(1, Int(size.width.rounded(.up))), height: max(1, Int(size.height.rounded(.up))))
        if request.fit == nil { below.fit = nil }
        below.budget = request.limits.budget
        return try await pages.draw(below)
    }

    private func draw(_ data: Data, _ page: InkPage, _ request: InkDrawing) async throws(DrawingError) -> Drawing {
        let size = page.size(request)
        var image = ImageFile(identifier: "", data: data)
        image.geometry.fit = .fill
        image.geometry.width = max(1, Int((size.width * request.scale).rounded()))
        image.geometry.height = max(1, Int((size.height * request.scale).rounded()))
        image.background = .white
        return try await images.draw(image)
    }

    func info(
        of document: PageDocument, _ password: String?, _ limits: InkLimits, _ series: inout AnswerSeries
    ) async throws(DrawingError) -> DocumentInfo {
        try await pages.info(of: document, password: password, budget: limits.budget, &series)
    }

    func annotations(
        of document: PageDocument, _ password: String?, _ limits: InkLimits
    ) async throws(DrawingError) -> [(annotation: PageAnnotation, page: Int)] {
        try await pages.shownAnnotations(of: document, password: password, budget: limits.budget)
    }

    func shutDown() async {
        await pages.shutDown()
        await images.shutDown()
    }
}

extension InkPage {
    /// Device px per point of a picture of the page.
    func pixels(_ request: InkDrawing) -> Double { size(request).width * request.scale / Double(width) }

    /// CSS px.
    fileprivate func size(_ request: InkDrawing) -> (width: Double, height: Double) {
        let (width, height) = (Double(width) * 96 / 72, Double(height) * 96 / 72)
        guard let fit = request.fit else { return (width, height) }
        let factor = min(Double(fit.width) / width, Double(fit.height) / height)
        return (width * factor, height * factor)
    }
}

extension InkDocument {
    /// Reads a background's file. Rejects a path outside the document's folder.
    ///
    /// - Parameter limit: the maximum size in bytes.
    func backgroundFile(_ reference: InkFileReference, limit: Int) -> (Data?, InkBackgroundDrawing) {
        guard let folder, let name = relativePath(reference) else {
            return (
                nil,
                InkBackgroundDrawing(warnings: [
                    DrawingWarning(
                        .resourceBlocked, reference.name.isEmpty ? "the background" : reference.name,
                        reason: "put the file beside the document")
                ])
            )
        }
        let data = read(name, in: folder, limit: limit)
        var drawing = InkBackgroundDrawing()
        drawing.dependencies = [Dependency(path: name, digest: data.map { Digest(of: $0) })]
        if data == nil { drawing.warnings = [DrawingWarning(.resourceMissing, name)] }
        return (data, drawing)
    }

    func digest(ofBackground path: String) -> Digest? {
        guard let folder else { return nil }
        return read(path, in: folder, limit: .max).map { Digest(of: $0) }
    }

    /// The path relative to the document's folder; nil for a file elsewhere.
    private func relativePath(_ reference: InkFileReference) -> String? {
        let path = reference.name
        if path.isEmpty || path.utf8.contains(0) { return nil }
        // Xournal++ stores `bg.pdf` as `notes.xopp.bg.pdf`.
        if reference.isAttached { return "\(name).\(path)" }
        guard path.hasPrefix("/") else { return Self.isBelow(path) ? path : nil }
        let base = URL(fileURLWithPath: folder.map { $0.isEmpty ? "." : $0 } ?? ".").standardizedFileURL.path
        return path.hasPrefix(base + "/") ? String(path.dropFirst(base.count + 1)) : nil
    }

    /// False for a path that leaves its folder, such as `../score.pdf`.
    private static func isBelow(_ path: String) -> Bool {
        var depth = 0
        for part in path.utf8.split(separator: UInt8(ascii: "/")) {
            switch String(decoding: part, as: UTF8.self) {
            case ".": break
            case "..": depth -= 1
            default: depth += 1
            }
            if depth < 0 { return false }
        }
        return true
    }

    private func read(_ path: String, in folder: String, limit: Int) -> Data? {
        // Recorded even if it does not exist, because it may be created later.
        readLog?(folder.isEmpty ? path : "\(folder)/\(path)")
        let number = offstage_open_beneath(folder.isEmpty ? "." : folder, path)
        guard number >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: number, closeOnDealloc: true)
        var info = stat()
        guard fstat(number, &info) == 0, info.st_size <= limit else { return nil }
        return try? file.read(upToCount: max(1, Int(info.st_size))) ?? Data()
    }
}
