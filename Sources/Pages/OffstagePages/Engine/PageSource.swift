import COffstagePages
import Foundation
import Offstage
import OffstageWorkers

/// Draws PDF pages with the program `offstage-pdf`.
struct PageSource: WorkerSource {
    var pdfium = PDFium.installed
    let documents = SharedDocuments()

    var program: WorkerProgram { pdfium.program }

    func job(for request: DocumentPage) throws(DrawingError) -> WorkerJob {
        try request.checkGeometry()
        var options = offstage_pages_options()
        options.job = OFFSTAGE_PAGES_DRAW.rawValue
        options.page = UInt32(clamping: request.page - 1)
        options.box = request.box.number
        options.rotation = UInt32(request.rotation.rawValue / 90)
        if request.variant != .plain { options.flags |= OFFSTAGE_PAGES_ANNOTATIONS.rawValue }
        if request.isTransparent { options.flags |= OFFSTAGE_PAGES_TRANSPARENT.rawValue }
        if request.keepsContent { options.flags |= OFFSTAGE_PAGES_CONTENT.rawValue }
        if let fit = request.fit { (options.fit_width, options.fit_height) = (Double(fit.width), Double(fit.height)) }
        options.scale = request.scale
        if let clip = request.clip {
            options.flags |= OFFSTAGE_PAGES_CLIP.rawValue
            options.clip = (clip.x, clip.y, clip.width, clip.height)
        }
        if request.variant == .thumbnail {
            (options.thumbnail_width, options.thumbnail_height) = (
                Double(request.thumbnail.width), Double(request.thumbnail.height)
            )
        }
        options.name(request.opened)
        var job = try job(
            options, for: request.document, password: request.password, layers: request.layers, budget: request.budget)
        guard let additions = request.additions else { return job }
        // The limit applies to the document, which was already checked.
        job.shared = nil
        job.document = request.document.data
        job.document.pad()
        job.document += additions.wire
        job.budget.documentBytes = max(job.budget.documentBytes, job.document.count)
        return job
    }

    /// - Parameter options: all but the version, the password and the layers, which are set here.
    func job(
        _ options: offstage_pages_options, for document: PageDocument, password: String?, layers: [PageLayer] = [],
        budget: WorkerBudget
    ) throws(DrawingError) -> WorkerJob {
        if pdfium.library == nil { throw .unavailable(PDFium.missing) }
        if document.data.isEmpty { throw .empty }
        let password = Data((password ?? "").utf8)
        // A NUL would end the C string early.
        if password.contains(0) { throw PageFailure.passwordWrong.error }
        var options = options
        options.version = UInt32(OFFSTAGE_PAGES_VERSION)
        options.document_size = UInt64(document.data.count)
        options.password_size = UInt32(clamping: password.count)
        // A NUL inside a name would split it.
        if layers.contains(where: { $0.name.isEmpty || $0.name.utf8.contains(0) }) {
            throw .invalidRequest("the name of a layer is empty or contains a NUL")
        }
        let names = Data(layers.wire)
        options.layers_size = UInt32(clamping: names.count)
        let bytes = withUnsafeBytes(of: &options) { Data($0) } + password + names
        try budget.check(document.data.count)
        let shared = try documents.shared(document)
        var job = WorkerJob(document: shared == nil ? document.data : Data(), options: bytes, budget: budget)
        job.shared = shared
        return job
    }

    func drawing(from answer: WorkerAnswer, for request: DocumentPage) throws(DrawingError) -> Drawing {
        try Drawing(answer, for: request)
    }

    func error(for failure: WorkerFailure, of request: DocumentPage) -> DrawingError {
        PageFailure(failure, page: request.page).error(layers: request.layers)
    }

    func fingerprint(of request: DocumentPage) -> Fingerprint? {
        // Without the library there is no picture, and nothing to identify.
        pdfium.library == nil ? nil : request.fingerprint(renderer: PDFium.identity)
    }
}

extension offstage_pages_options {
    /// Lets the worker keep the document open for the next job.
    mutating func name(_ opened: Digest) {
        opened.withBytes { bytes in withUnsafeMutableBytes(of: &document) { $0.copyMemory(from: bytes) } }
    }
}

extension PageBox {
    fileprivate var number: UInt32 {
        switch self {
        case .crop: OFFSTAGE_PAGES_CROP.rawValue
        case .media: OFFSTAGE_PAGES_MEDIA.rawValue
        case .trim: OFFSTAGE_PAGES_TRIM.rawValue
        case .bleed: OFFSTAGE_PAGES_BLEED.rawValue
        case .art: OFFSTAGE_PAGES_ART.rawValue
        }
    }
}
