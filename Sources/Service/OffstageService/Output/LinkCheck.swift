import Foundation
import Offstage
import Synchronization

/// Checks symbolic links below the output folder. Links within the folder are followed; links out of it are rejected.
package final class LinkCheck: Sendable {
    private let folder: String
    /// The folder's path without links; nil if it does not exist yet.
    private let root: String?
    /// For each folder's path, true if the folder is outside.
    private let known = Mutex<[String: Bool]>([:])

    package init(below folder: String) {
        self.folder = folder
        root = Self.resolved(folder)
    }

    /// - Parameter path: the path of a new file below the folder.
    package func leadsOut(_ path: String) -> Bool {
        guard let root else { return false }
        let parent = parentFolder(of: path)
        let isOutside =
            known.withLock { $0[parent] }
            ?? {
                // Missing folders will be made below the nearest existing one.
                var there = parent
                while !there.isEmpty, there != "/", access(there, F_OK) != 0 { there = parentFolder(of: there) }
                let isOutside = Self.isOutside(there, root)
                known.withLock { $0[parent] = isOutside }
                return isOutside
            }()
        if isOutside { return true }
        var info = stat()
        return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFLNK && Self.isOutside(path, root)
    }

    package func message(_ path: String) -> String {
        "through a symbolic link, \(path) is outside \(folder); rename the row or the link"
    }

    /// A broken link has no target, so it will be replaced.
    private static func isOutside(_ path: String, _ root: String) -> Bool {
        resolved(path).map { !isWithin($0, root) } ?? false
    }

    /// Both paths are without links.
    static func isWithin(_ place: String, _ root: String) -> Bool {
        place == root || place.hasPrefix(root == "/" ? "/" : root + "/")
    }

    /// The path without links; nil if nothing exists there.
    static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path.isEmpty ? "." : path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
