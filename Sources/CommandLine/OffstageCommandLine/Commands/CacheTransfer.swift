import Foundation
import Offstage
import OffstageGLib
import OffstageHTML
import OffstageRequests
import OffstageService

/// `offstage cache export` and `offstage cache import`: copies pictures between the cache and a folder.
@MainActor
struct CacheTransfer {
    let from: PictureStore
    let to: PictureStore
    let isExport: Bool
    let isJSON: Bool

    /// The store in a folder to copy to or from. Its size has no limit: the folder contains everything that the cache
    /// has.
    ///
    /// - Parameter isThere: true if the folder must exist and be a cache, because it is copied from.
    nonisolated static func store(at folder: String, isThere: Bool) throws(UsageError) -> PictureStore {
        let path = absolutePath(folder)
        if isThere, access(path + "/" + PictureStore.databaseName, R_OK) != 0 {
            throw UsageError("\(folder) is not an exported cache; make one with: offstage cache export FOLDER")
        }
        return PictureStore(folder: path, limits: StoreLimits(bytes: .max, age: nil, freeBytes: 0)) { event in
            if case .warning(let warning) = event { Console.error("\(warning)") }
        }
    }

    func run() throws -> ExitCode {
        let (from, to, isExport, isJSON) = (from, to, isExport, isJSON)
        if isExport, access(from.folder, F_OK) != 0 {
            throw UsageError(
                "\(from.folder) has no cache to export; render something first, or name a cache with --cache")
        }
        if absolutePath(from.folder) == absolutePath(to.folder) {
            throw UsageError("the folder is the cache itself; name another folder")
        }
        return try MainLoop.run {
            guard let copy = await from.copyPictures(to: to, matches: { HTMLEngine.agrees(with: $0) }) else {
                return .someFailed
            }
            await from.finish()
            await to.finish()
            try Console.print(isJSON ? Self.json(copy) : Self.text(copy, isExport: isExport))
            return .success
        }
    }

    private static func json(_ copy: StoreCopy) -> String {
        #"{"copied":\#(copy.copied),"known":\#(copy.known),"left":\#(copy.left),"matching":\#(copy.matching)}"#
    }

    private static func text(_ copy: StoreCopy, isExport: Bool) -> String {
        func pictures(_ count: Int) -> String { "\(count) \(count == 1 ? "picture" : "pictures")" }
        var text = "\(pictures(copy.copied)) copied"
        if copy.known > 0 { text += ", \(copy.known) already there" }
        if copy.left > 0 { text += ", \(copy.left) skipped (damaged, too large, or no space for pinned pictures)" }
        let foreign = copy.copied + copy.known - copy.matching
        if !isExport, foreign > 0 {
            text += "; \(foreign) come from a machine with another engine or other fonts, and will be rendered again"
        }
        return text
    }
}
