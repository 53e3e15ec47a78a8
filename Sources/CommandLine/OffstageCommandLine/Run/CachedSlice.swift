import Foundation
import Offstage

/// A slice of a run's pictures. Takes them from the cache in one go, before anything is drawn.
struct CachedSlice: Sendable {
    /// The number of pictures in a slice: large enough that thread changes cost little, and small enough that a run
    /// reports often.
    static let size = 64
    /// The number of slices at once: one reads documents while the other writes files.
    static let lanes = 2

    private let pictures: [RenderJob]
    /// Nil for a picture that is not taken from the cache, or has no document.
    private let requests: [(any DrawingRequest)?]

    /// Reads the documents of the pictures from this index on.
    init(of all: [RenderJob], from first: Int) {
        pictures = Array(all[first...].prefix(Self.size))
        requests = pictures.map { picture in
            // Standard input can be read only once.
            if case .standardInput = picture.job.input { return nil }
            return picture.options.usesCache ? try? picture.request() : nil
        }
    }

    /// Writes the files of the pictures that are cached.
    ///
    /// - Returns: the results of each picture, in order; nil for one that must be drawn, or whose request fails.
    func write(with renderer: Renderer) async -> [[PictureResult]?] {
        let wanted = zip(requests, pictures).map { request, picture in
            request.map { (request: $0, variants: picture.job.settings.variants) }
        }
        return await renderer.lendFiles(for: wanted) { index, files, lend in
            requests[index].flatMap { pictures[index].write(files, of: $0, lend) }
        }
    }
}
