import Foundation
import Offstage
import Synchronization

/// Symbolic links below the output folder: they are followed within it, and lead nobody out of it.
package final class LinkCheck: Sendable {
    private let folder: String
    /// The folder without links; nil where there is none yet.
    private let root: String?
    /// By folder, whether what is in it is outside.
    private let known = Mutex<[String: Bool]>([:])

    package init(below folder: String) {
        self.folder = folder
        root = Self.resolved(folder)
    }

    /// - Parameter path: of a file to be written below the folder.
    package func leadsOut(_ path: String) -> Bool {
        guard let root else { return false }
        let parent = parentFolder(of: path)
        let isOutside =
            known.withLock { $0[parent] }
            ?? {
                // What is not there yet is made below what is.
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
        "a symbolic link leads \(path) out of \(folder); rename the row or the link"
    }

    /// A link that leads to nothing is replaced, and so no way out.
    private static func isOutside(_ path: String, _ root: String) -> Bool {
        guard let place = resolved(path) else { return false }
        return place != root && !place.hasPrefix(root == "/" ? "/" : root + "/")
    }

    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path.isEmpty ? "." : path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
