import Foundation
import Offstage

/// A picture's description, stored as JSON in the database. An older program ignores fields that it doesn't know.
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
    /// Encoding strings, numbers and lists of them cannot fail.
    var json: String { String(decoding: (try? JSONEncoder().encode(StoredInfo(self))) ?? Data(), as: UTF8.self) }

    /// Nil if a newer program wrote it in a form that this one cannot read.
    init?(json: String) {
        guard let stored = try? JSONDecoder().decode(StoredInfo.self, from: Data(json.utf8)) else { return nil }
        self = stored.info
    }
}

/// A picture's bytes in parts of 256 KiB, so that no statement holds a large picture twice in memory.
enum BlobParts {
    static let size = 256 << 10

    static func split(_ data: Data) -> [Data] {
        if data.count <= size { return [data] }
        return stride(from: 0, to: data.count, by: size).map { start in
            data[(data.startIndex + start)..<min(data.startIndex + start + size, data.endIndex)]
        }
    }

    /// Reads the bytes with this digest. Nil if a part is missing or damaged.
    static func read(_ digest: Digest, _ session: PQSession) throws(SharedError) -> Data? {
        var data = Data()
        try session.run("SELECT bytes FROM offstage.blob WHERE digest = $1 ORDER BY part", [.digest(digest)]) {
            data.append($0.data(0))
        }
        return Digest(of: data) == digest ? data : nil
    }
}
