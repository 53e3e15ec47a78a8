import Foundation
import Offstage

/// A picture's description, as JSON in the database. A field that an older program does not know is ignored.
struct StoredInfo: Codable {
    var fingerprint: Fingerprint
    var dependencies: [Dependency]
    var format: String
    var width: Int
    var height: Int
    var scale: Double
    var isOpaque: Bool
    var warnings: [DrawingWarning]
    var partCount: Int?
    var content: PictureContent?

    init(_ info: PictureInfo) {
        (fingerprint, dependencies, format) = (info.fingerprint, info.dependencies, info.format)
        (width, height, scale, isOpaque) = (info.size.width, info.size.height, info.scale, info.isOpaque)
        (warnings, partCount, content) = (info.warnings, info.partCount, info.content)
    }

    var info: PictureInfo {
        PictureInfo(
            fingerprint: fingerprint, dependencies: dependencies, format: format,
            size: PixelSize(width: width, height: height), scale: scale, isOpaque: isOpaque, warnings: warnings,
            partCount: partCount, content: content)
    }
}

extension PictureInfo {
    /// Encoding texts, numbers and lists of them cannot fail.
    var json: String { String(decoding: (try? JSONEncoder().encode(StoredInfo(self))) ?? Data(), as: UTF8.self) }

    /// Nil for what a newer program has written and this one does not understand.
    init?(json: String) {
        guard let stored = try? JSONDecoder().decode(StoredInfo.self, from: Data(json.utf8)) else { return nil }
        self = stored.info
    }
}

/// The bytes of a picture in parts of 256 KiB: no statement needs a large picture twice in memory.
enum BlobParts {
    static let size = 256 << 10

    static func split(_ data: Data) -> [Data] {
        if data.count <= size { return [data] }
        return stride(from: 0, to: data.count, by: size).map { start in
            data[(data.startIndex + start)..<min(data.startIndex + start + size, data.endIndex)]
        }
    }

    /// The bytes of a digest; nil if a part is missing or damaged.
    static func read(_ digest: Digest, _ session: PQSession) throws(SharedError) -> Data? {
        var data = Data()
        try session.run("SELECT bytes FROM offstage.blob WHERE digest = $1 ORDER BY part", [.digest(digest)]) {
            data.append($0.data(0))
        }
        return Digest(of: data) == digest ? data : nil
    }
}
