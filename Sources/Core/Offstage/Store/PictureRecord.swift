import Foundation

/// A stored picture without its bytes.
public struct PictureRecord: Sendable, Hashable {
    public var key: PictureKey
    public var info: PictureInfo
    /// The digest of the picture's bytes. A file with the same digest is the picture.
    public var content: Digest
    /// The number of the picture's bytes.
    public var byteCount: Int
    public var stored: Date
    /// The time of the last request for the picture, accurate to a minute.
    public var used: Date
    /// True if a client of a service stored the picture with PUT: the store never evicts it.
    public var isPinned = false
    /// The name of the client that stored the picture with PUT; nil for none.
    public var owner: String?
    /// The row number of the bytes in the database, valid within one transaction.
    var blob = 0
}

extension PictureRecord {
    init?(_ row: PictureRow) {
        guard let info = row.info else { return nil }
        self.init(
            key: row.key, info: info, content: row.content, byteCount: row.length,
            stored: Date(milliseconds: row.stored), used: Date(milliseconds: row.used),
            isPinned: row.isPinned, owner: row.owner, blob: row.blob)
    }
}

extension Date {
    init(milliseconds: Int) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
    var milliseconds: Int { Int((timeIntervalSince1970 * 1000).rounded()) }
}
