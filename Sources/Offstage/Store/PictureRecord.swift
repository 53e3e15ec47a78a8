import Foundation

/// A stored picture without its bytes.
public struct PictureRecord: Sendable, Hashable {
    public var key: PictureKey
    public var info: PictureInfo
    /// Of the picture's bytes: a file that has the same is the picture.
    public var content: Digest
    /// Bytes of the picture.
    public var byteCount: Int
    public var stored: Date
    /// When it was asked for last, give or take a minute.
    public var used: Date
}

extension PictureRecord {
    init?(_ row: PictureRow) {
        guard let info = row.info else { return nil }
        self.init(
            key: row.key, info: info, content: row.content, byteCount: row.length,
            stored: Date(milliseconds: row.stored), used: Date(milliseconds: row.used))
    }
}

extension Date {
    init(milliseconds: Int) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
    var milliseconds: Int { Int((timeIntervalSince1970 * 1000).rounded()) }
}
