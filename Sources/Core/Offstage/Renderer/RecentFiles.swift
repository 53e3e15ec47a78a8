import Synchronization

/// The files that were most recently made from pictures in memory.
///
/// Several requests may have the same picture: for example, a page without annotations looks the same plain and
/// annotated. Encoding takes as long as drawing a simple page, so it is done only once.
final class RecentFiles: Sendable {
    private struct File {
        weak var picture: Pixmap?
        let variant: FileVariant
        let scale: Double
        let outcome: Promise<Result<EncodedPicture, EncodingError>>
    }

    private let files = Mutex<[File]>([])

    private static let most = 8
    /// The maximum number of bytes of pixels. The files of larger pictures would fill the memory.
    private static let mostBytes = 16 << 20

    /// Encodes a picture, or returns the file that another request is encoding or has encoded.
    ///
    /// - Throws: `EncodingError`, even if the other request's encoding failed.
    func file(of image: RenderedPicture, as variant: FileVariant) async throws(EncodingError) -> EncodedPicture {
        guard case .pixels(let picture) = image.picture, 4 * picture.size.width * picture.size.height <= Self.mostBytes
        else { return try image.encoded(as: variant) }
        let (outcome, isMine) = files.withLock { files in
            files.removeAll { $0.picture == nil }
            let file = files.first { $0.picture === picture && $0.variant == variant && $0.scale == image.scale }
            if let file { return (file.outcome, false) }
            if files.count == Self.most { files.removeFirst() }
            let new = File(picture: picture, variant: variant, scale: image.scale, outcome: Promise())
            files.append(new)
            return (new.outcome, true)
        }
        if isMine {
            do throws(EncodingError) { outcome.keep(.success(try image.encoded(as: variant))) } catch {
                outcome.keep(.failure(error))
            }
        }
        return try await outcome.value.get()
    }
}
