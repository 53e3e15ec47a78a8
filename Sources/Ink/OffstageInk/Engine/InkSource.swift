import COffstageInk
import Foundation
import Offstage
import OffstageWorkers

/// Ink files, which the program `offstage-ink` reads and draws.
struct InkSource: WorkerSource {
    var program = WorkerProgram("offstage-ink", files: InkFonts.files)

    /// The installed programs and fonts that decide the pixels.
    static let identity: Digest = {
        let programs = WorkerProgram.identity(
            of: ["offstage-ink"],
            libraries: ["libexpat", "libjansson", "libz", "libspng", "libharfbuzz"])
        var builder = Fingerprint.Builder()
        builder.add("programs", programs)
        for font in InkFonts.files { builder.add("font", FileIdentity.digest(ofFont: font) ?? Digest(of: "")) }
        return builder.build().digest
    }()

    func job(for request: InkDrawing) throws(DrawingError) -> WorkerJob {
        try job(for: request, backdrop: nil, draws: false)
    }

    /// - Parameters:
    ///   - backdrop: the picture under the ink; nil for the paper.
    ///   - pictures: images on the page that other engines have drawn, in the order of their items.
    ///   - draws: true to draw a page whose background is another file on white, without images in other formats unless
    ///     they are in `pictures`. False to only describe such a page.
    ///   - stretches: true to make the ink's page as wide as the backdrop.
    func job(
        for request: InkDrawing, backdrop: Pixmap?, pictures: [InkPicture] = [], draws: Bool, stretches: Bool = false
    ) throws(DrawingError) -> WorkerJob {
        try request.checkGeometry()
        var options = offstage_ink_options()
        options.page = UInt32(clamping: request.page - 1)
        options.scale = request.scale
        if let fit = request.fit { (options.fit_width, options.fit_height) = (Double(fit.width), Double(fit.height)) }
        if let clip = request.clip {
            options.flags |= OFFSTAGE_INK_CLIP.rawValue
            options.clip = (clip.x, clip.y, clip.width, clip.height)
        }
        switch request.content {
        case .plain: options.flags |= OFFSTAGE_INK_PLAIN.rawValue
        case .ink: options.flags |= OFFSTAGE_INK_ALONE.rawValue
        case .annotated, .thumbnail: break
        }
        if stretches { options.flags |= OFFSTAGE_INK_STRETCH.rawValue }
        if draws { options.flags |= OFFSTAGE_INK_WITHOUT_FILE.rawValue }
        return try job(
            OFFSTAGE_INK_DRAW, options, request.document, request.limits, backdrop: backdrop, pictures: pictures)
    }

    /// - Parameter options: without the version, the document and the limits.
    func job(
        _ job: offstage_ink_job, _ options: offstage_ink_options, _ document: InkDocument, _ limits: InkLimits,
        backdrop: Pixmap? = nil, pictures: [InkPicture] = []
    ) throws(DrawingError) -> WorkerJob {
        if document.data.isEmpty { throw .empty }
        var options = options
        options.version = UInt32(OFFSTAGE_INK_VERSION)
        options.job = job.rawValue
        options.document_size = UInt64(document.data.count)
        options.most_points = UInt64(max(0, limits.points))
        options.most_bytes = UInt64(max(0, limits.unpackedBytes))
        document.digest.withBytes { bytes in
            withUnsafeMutableBytes(of: &options.document) { $0.copyMemory(from: bytes) }
        }
        var (data, budget) = (document.data, limits.budget)
        if data.count > budget.documentBytes {
            throw .overLimit(LimitExcess(.inputBytes, allowed: budget.documentBytes, measured: data.count))
        }
        if let backdrop {
            options.flags |= OFFSTAGE_INK_BACKDROP.rawValue
            options.backdrop_width = UInt32(backdrop.size.width)
            options.backdrop_height = UInt32(backdrop.size.height)
            for y in 0..<backdrop.size.height { backdrop.withRow(y) { data.append(contentsOf: $0) } }
        }
        let start = data.count
        for picture in pictures { picture.append(to: &data) }
        options.picture_size = UInt64(data.count - start)
        // The limit applies only to other people's documents.
        budget.documentBytes = max(budget.documentBytes, data.count)
        return WorkerJob(document: data, options: withUnsafeBytes(of: options) { Data($0) }, budget: budget)
    }

    func drawing(from answer: WorkerAnswer, for request: InkDrawing) throws(DrawingError) -> Drawing {
        guard let pixmap = answer.pixmap, let report = InkReport(answer.report) else {
            throw .untrueAnswer("the worker sent no picture or no report")
        }
        var drawing = Drawing(
            pixmaps: [pixmap], scale: request.scale, background: request.content == .ink ? .transparent : .white,
            warnings: report.warnings(isDrawn: request.content != .plain))
        drawing.trust = [answer.trust]
        return drawing
    }

    func error(for failure: WorkerFailure, of request: InkDrawing) -> DrawingError {
        InkFailure.error(for: failure, page: request.page)
    }

    func fingerprint(of request: InkDrawing) -> Fingerprint? {
        var builder = Fingerprint.Builder()
        builder.add("engine", "ink \(OFFSTAGE_INK_VERSION)")
        builder.add("program", Self.identity)
        builder.add("document", request.document.digest)
        builder.add("page", "\(request.page)")
        request.addGeometry(to: &builder)
        builder.add("variant", request.content.rawValue + (request.content == .thumbnail ? request.thumbnailText : ""))
        // Two files with equal bytes can have different backgrounds beside them.
        if let folder = request.document.folder { builder.add("folder", "\(folder) \(request.document.name)") }
        builder.add(request.margins)
        return builder.build()
    }
}
