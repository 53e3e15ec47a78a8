import COffstageInk
import Foundation

/// The limits for a worker's messages about a document, by the document's size.
extension InkDocument {
    /// The maximum number of bytes into which zlib unpacks one byte.
    private static let inflation = 1032
    /// Bytes of records per byte of the unpacked document. The shortest stroke, `[[0,0]],`, has 14; a large ellipse of
    /// a drawing program has 200.
    private static let recordsPerByte = 256
    /// Bytes of records for any document.
    private static let leastRecords = 1 << 20

    /// The maximum unpacked size, in bytes. Only an attack on zlib's limits exceeds it.
    private var mostUnpackedBytes: Int {
        let isPacked = data.starts(with: [0x1F, 0x8B]) || data.starts(with: Data("PK".utf8))
        return min(data.count, 1 << 40) * (isPacked ? Self.inflation : 1)
    }

    /// The maximum number of bytes in the document's records.
    func mostRecordBytes(_ limits: InkLimits) -> Int {
        let allowed = max(4 * min(limits.budget.pixels, 1 << 40), limits.unpackedBytes)
        return min(allowed, max(Self.leastRecords, Self.recordsPerByte * mostUnpackedBytes))
    }

    /// The maximum size of a file in the document, as pixels of a picture that is 1,024 px wide.
    func mostAttachmentPixels(_ limits: InkLimits) -> Int {
        min(limits.budget.pixels, mostUnpackedBytes / 4 + 2048)
    }
}
