import Foundation
import Offstage
import OffstageWorkers

/// Decodes and scales image files in jailed worker processes. Never uses the main actor.
///
/// The kinds of files that need large libraries have a separate program, so that a worker for photos stays small.
public final class ImageEngine: JailedEngine {
    public let capacity: Int
    private let common: WorkerEngine<ImageSource>
    private let rare: WorkerEngine<ImageSource>

    /// Makes an engine. Nothing starts before the first drawing.
    ///
    /// - Parameters:
    ///   - workers: the maximum number of concurrent drawings, each in its own process. Default: one per processor, at most 8.
    ///   - jail: the use of bubblewrap. Default `.wherePossible`.
    ///   - fresh: when a document gets a worker that has drawn nothing before. Default `.never`.
    public init(
        workers: Int = min(ProcessInfo.processInfo.activeProcessorCount, 8), jail: WorkerJail = .wherePossible,
        fresh: FreshWorkers = .never
    ) {
        capacity = max(1, workers)
        common = WorkerEngine(.common, workers: workers, jail: jail, fresh: fresh)
        rare = WorkerEngine(.rare, workers: workers, jail: jail, fresh: fresh)
    }

    @MainActor public var restarts: Int { common.restarts + rare.restarts }

    public func draw(_ file: ImageFile) async throws(DrawingError) -> Drawing { try await engine(for: file).draw(file) }

    public func fingerprint(of file: ImageFile) -> Fingerprint? { common.fingerprint(of: file) }

    /// Reads the header of a file without decoding pixels.
    ///
    /// - Parameter file: the file; its geometry is ignored.
    /// - Returns: the facts.
    /// - Throws: `DrawingError` for a file that cannot be drawn either.
    public func facts(about file: ImageFile) async throws(DrawingError) -> ImageFacts {
        let options = try ImageSource.options(for: file, isInfo: true)
        let job = WorkerJob(document: file.data, options: options, budget: file.limits.budget)
        let result = try await engine(for: file).value(of: job) { answer throws(DrawingError) in
            guard let facts = ImageFacts(answer.report, kind: ImageKind(of: file.data)) else {
                throw ImageProblem.untrue
            }
            return facts
        }
        switch result {
        case .success(let facts): return facts
        case .failure(let failure): throw ImageProblem.error(for: failure, of: file)
        }
    }

    /// The protections that are active in workers of both programs, for `doctor`. Starts them if necessary.
    public func protections() async throws(EngineUnavailable) -> WorkerProtections {
        try await common.protections().intersection(rare.protections())
    }

    public func shutDown() async {
        await common.shutDown()
        await rare.shutDown()
    }

    private func engine(for file: ImageFile) -> WorkerEngine<ImageSource> {
        ImageKind(of: file.data)?.isRare == true ? rare : common
    }

    /// The libraries that decode and convert, as they are installed here: an updated one invalidates pictures.
    static let libraries = WorkerProgram.identity(of: programs, libraries: libraryNames, plugins: plugins)
    static let programs = ["offstage-image", "offstage-image-more"]
    static let libraryNames = [
        "libjpeg", "libspng", "libisal", "libwebp", "libwebpdemux", "libgif", "libtiff", "liblcms2", "libheif",
        "libde265", "libdav1d", "libopenjp2", "libjxl", "libjxl_cms", "libgdk_pixbuf-2.0",
    ]
    /// Newer versions of libheif load their decoders themselves.
    static let plugins = ["libheif/plugins"]
}
