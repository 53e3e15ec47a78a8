import Foundation
import Offstage
import OffstageHTML
import OffstageImages
import OffstageWorkers

/// The options of image files: a request without its file.
struct ImageSettings: SourceSettings {
    var file = ImageFile(identifier: "", data: Data())

    /// - Parameter limit: the largest picture that its files can contain.
    init(_ options: ParsedOptions, limit: FormatLimit?) throws(UsageError) {
        try (ImageOptions.table + ImageOptions.limits).apply(options, to: &self)
        file.formatLimit = limit
    }

    var inputLimit: Int { file.limits.budget.documentBytes }

    func request(
        for document: SourceDocument, identifier: String
    ) throws(SourceFileError) -> any DrawingRequest {
        var request = ImageFile(
            identifier: identifier, data: try document.bytes(limit: inputLimit), digest: document.digest)
        if request.data.isEmpty { throw SourceFileError(path: document.name, problem: .empty) }
        request.geometry = file.geometry
        request.background = file.background
        request.frame = file.frame
        request.limits = file.limits
        request.margins = file.margins
        request.requiresComplete = file.requiresComplete
        request.formatLimit = file.formatLimit
        return request
    }
}

private let imageExtensions = [
    "jpg", "jpeg", "jpe", "jfif", "png", "apng", "webp", "gif", "tif", "tiff", "bmp", "ico", "heic", "heif", "avif",
    "jp2",
    "j2k", "jpx", "jxl",
]

extension RegisteredSource {
    /// Image files. The content of a file decides its kind; the extensions only select the files of a folder.
    package static let images = RegisteredSource(
        "image", title: "Images",
        fileExtensions: imageExtensions, partExtensions: Set(imageExtensions),
        mediaTypes: [
            "image/jpeg", "image/png", "image/apng", "image/webp", "image/gif", "image/tiff", "image/bmp",
            "image/x-icon",
            "image/vnd.microsoft.icon", "image/heic", "image/heif", "image/avif", "image/jp2", "image/jxl",
        ].map { MediaType($0) },
        options: ImageOptions.table.declarations(), limits: ImageOptions.limits.declarations(),
        runOptions: ["fresh-workers"],
        describe: ImageInspector.info,
        warnings: DrawingWarning.Code.images,
        recognizes: { ImageKind(of: $0) != nil },
        protections: Inspection.protections(of: ImageEngine.self),
        settings: { options, limit throws(UsageError) in try ImageSettings(options, limit: limit) },
        engine: { options, workers in
            ImageEngine(workers: workers, jail: options.sandbox.jail, fresh: options.fresh)
        })
}

extension Sandbox {
    /// The workers' jail that corresponds to the user's choice of sandbox.
    package var jail: WorkerJail {
        switch self {
        case .wherePossible: .wherePossible
        case .always: .always
        case .never: .never
        }
    }
}
