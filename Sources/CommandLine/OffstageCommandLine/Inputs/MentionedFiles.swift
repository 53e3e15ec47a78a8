import Foundation
import Offstage
import OffstageRequests

/// Finds out which image files of a folder belong to its documents: the images that a document names, and other images
/// in their folders if those contain no documents, because style sheets may use them. Reads only the documents, which
/// are drawn anyway.
struct MentionedFiles {
    private let folder: String
    /// Paths relative to the folder, by file name.
    private var candidates: [String: [String]] = [:]
    private var mentioned: Set<String> = []

    /// - Parameters:
    ///   - folder: the folder that is searched.
    ///   - parts: the files that may belong to documents, as paths relative to the folder.
    init(of parts: [String], below folder: String) {
        self.folder = folder
        for path in parts { candidates[(path as NSString).lastPathComponent, default: []].append(path) }
    }

    /// The files that belong to one of the documents.
    mutating func files(of documents: [String]) -> Set<String> {
        for document in documents {
            guard let data = try? PlainFile.read(folder + "/" + document, limit: 64 << 20).data else { continue }
            data.withUnsafeBytes { bytes in
                for word in bytes.split(whereSeparator: Self.isEnd) { note(word) }
                // A name in quotes may contain a space or a bracket.
                for value in bytes.split(whereSeparator: Self.isQuote) {
                    note(value.suffix(from: value.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? value.startIndex))
                }
            }
        }
        let ownFolders = Set(documents.map { parentFolder(of: $0) })
        let assetFolders = Set(mentioned.map { parentFolder(of: $0) }).subtracting(ownFolders)
        let beside = candidates.values.joined().filter { assetFolders.contains(parentFolder(of: $0)) }
        return mentioned.union(beside)
    }

    private mutating func note(_ bytes: Slice<UnsafeRawBufferPointer>) {
        // The maximum length of a file name whose bytes are percent-escaped.
        guard bytes.count > 2, bytes.count <= 3 * 255, bytes.contains(UInt8(ascii: ".")) else { return }
        let word = String(decoding: bytes, as: UTF8.self)
        if let paths = candidates[word] { mentioned.formUnion(paths) }
        guard word.contains("%"), let decoded = word.removingPercentEncoding else { return }
        mentioned.formUnion(candidates[(decoded as NSString).lastPathComponent] ?? [])
    }

    private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

    /// True for a character that does not occur inside a file's name in URLs as they are usually written.
    private static func isEnd(_ byte: UInt8) -> Bool {
        byte <= 0x20 || "\"'()<>/\\?#=,;&|`".utf8.contains(byte)
    }
}
