import Foundation
import Offstage

/// The last pictures that were drawn, for the status page.
@MainActor
final class RecentPictures {
    struct Entry {
        /// The client's; nil where it gave none.
        var identifier: String?
        var mediaType: String
        var size: PixelSize
        var byteCount: Int
        var isKept: Bool
        /// Nil for one that is too large to be shown.
        var data: Data?
        var time: Date
    }

    private(set) var entries: [Entry] = []
    private static let limit = 12
    private static let largest = 131_072

    /// Those of a picture that a client has removed.
    func remove(_ identifier: String) { entries.removeAll { $0.identifier == identifier } }

    func add(_ identifier: String?, _ format: ImageFormat, _ file: RenderedFiles.File, _ data: Data, isKept: Bool) {
        if entries.count == Self.limit { entries.removeFirst() }
        entries.append(
            Entry(
                identifier: identifier, mediaType: format.kind.mediaType, size: file.size, byteCount: data.count,
                isKept: isKept,
                data: data.count <= Self.largest && format.kind.mediaType.hasPrefix("image/") ? data : nil,
                time: Date()))
    }
}
