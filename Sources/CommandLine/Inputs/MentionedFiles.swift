import Foundation
import Offstage
import OffstageRequests

/// Finds out which image files of a folder belong to its documents: those that a document names, and those beside them in a folder
/// without documents, which style sheets may use. Reads nothing but the documents, which are drawn anyway.
struct MentionedFiles {
    private let folder: String
    /// Paths from the folder on, by file name.
    private var candidates: [String: [String]] = [:]
    private var mentioned: Set<String> = []

    /// - Parameters:
    ///   - folder: the folder that is searched.
    ///   - parts: the files that may belong to documents, as paths from the folder on.
    init(of parts: [String], below folder: String) {
        self.folder = folder
        for path in parts { candidates[(path as NSString).lastPathComponent, default: []].append(path) }
    }

    /// The files that belong to one of the documents.
    mutating func files(of documents: [String]) -> Set<String> {
        // A name with a character that ends a word is searched for as it is.
        let odd = candidates.keys.filter { $0.utf8.contains(where: Self.isEnd) }
        for document in documents {
            guard let data = try? PlainFile.read(folder + "/" + document, limit: 64 << 20).data else { continue }
            data.withUnsafeBytes { bytes in
                for word in bytes.split(whereSeparator: Self.isEnd)
                where word.count > 2 && word.contains(UInt8(ascii: ".")) {
                    note(String(decoding: word, as: UTF8.self))
                }
            }
            for name in odd where data.range(of: Data(name.utf8)) != nil { mentioned.formUnion(candidates[name] ?? []) }
        }
        let ownFolders = Set(documents.map { parentFolder(of: $0) })
        let assetFolders = Set(mentioned.map { parentFolder(of: $0) }).subtracting(ownFolders)
        let beside = candidates.values.joined().filter { assetFolders.contains(parentFolder(of: $0)) }
        return mentioned.union(beside)
    }

    private mutating func note(_ word: String) {
        if let paths = candidates[word] { mentioned.formUnion(paths) }
        if word.contains("%"), let decoded = word.removingPercentEncoding.map({ ($0 as NSString).lastPathComponent }),
            let paths = candidates[decoded]
        {
            mentioned.formUnion(paths)
        }
    }

    /// True for a character that cannot be inside a file's name in a URL, as it is usually written.
    private static func isEnd(_ byte: UInt8) -> Bool {
        byte <= 0x20 || "\"'()<>/\\?#=,;&|`".utf8.contains(byte)
    }
}
