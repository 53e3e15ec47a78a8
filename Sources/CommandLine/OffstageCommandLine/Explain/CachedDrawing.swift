import Foundation
import Offstage
import OffstageService

/// All cached files of one drawing.
struct CachedDrawing {
    /// The name in the cache.
    let identifier: String
    let records: [PictureRecord]

    /// The origin of the last drawing, if there are several, at different scales.
    var origin: Origin? { records.max { $0.stored < $1.stored }.flatMap { Origin($0.info.extra) } }

    /// Finds the drawings that a word from the user means: a picture's file, its source, or a row's identifier.
    ///
    /// - Parameter word: `-` for a document from standard input.
    static func find(_ word: String, in store: PictureStore) async -> [CachedDrawing] {
        if word == "-" {
            let found = await store.entries(noting: Origin.field("identifier", Input.standardInput.identifier) + ",")
            return grouped(found).filter { $0.origin?.isStandardInput == true }
        }
        let path = absolutePath(word)
        for name in [path, word] + namesWithoutMarks(path) {
            let found = await store.entries(prefix: name).filter { $0.key.identifier.utf8.elementsEqual(name.utf8) }
            if !found.isEmpty { return grouped(found) }
        }
        for field in [Origin.field("file", path), Origin.field("identifier", word)] {
            let found = await store.entries(noting: field + ",")
            if !found.isEmpty { return grouped(found) }
        }
        return []
    }

    /// The possible names of the picture to which a part (`a-2.png`), a thumbnail (`a.thumb-120x120.png`) or another
    /// scale (`a@2x.png`) belongs.
    private static func namesWithoutMarks(_ path: String) -> [String] {
        let folder = parentFolder(of: path)
        let name = (path as NSString).lastPathComponent
        let whole = name.replacing(/(@[0-9.]+x)?(\.thumb-\d+x\d+)?(?=\.[^.]+$)/, with: "")
        let names = [
            whole, name.replacing(/-\d+(?=\.[^.]+$)/, with: ""), whole.replacing(/-\d+(?=\.[^.]+$)/, with: ""),
        ]
        return names.filter { $0 != name }.map { (folder as NSString).appendingPathComponent($0) }
    }

    private static func grouped(_ records: [PictureRecord]) -> [CachedDrawing] {
        Dictionary(grouping: records) { Array($0.key.identifier.utf8) }.values
            .map { CachedDrawing(identifier: $0[0].key.identifier, records: $0) }
            .sorted { $0.identifier.utf8.lexicographicallyPrecedes($1.identifier.utf8) }
    }
}
