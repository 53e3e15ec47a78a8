import CGLib
import Foundation
import Offstage
import OffstageRequests

/// Functions for folders of files.
package enum OutputFolder {
    /// Makes the folder if it is missing, and checks that files can be written into it. An empty path means the working
    /// folder.
    ///
    /// - Parameter what: the files' name in the message.
    package static func prepare(_ folder: String, for what: String = "the pictures") throws(UsageError) {
        if folder.isEmpty { return }
        guard create(folder) else {
            throw UsageError(
                "cannot create the folder \(folder): \(String(cString: strerror(errno))); "
                    + "choose another path for \(what)")
        }
        guard access(folder, W_OK | X_OK) == 0 else {
            throw UsageError(
                "cannot write into \(folder): \(String(cString: strerror(errno))); choose another path for \(what)")
        }
    }

    /// Creates a folder and missing folders above it. Unlike Foundation, GLib reports the reason for a failure.
    ///
    /// - Returns: false for a failure; `errno` has the reason.
    @discardableResult
    package static func create(_ folder: String) -> Bool { g_mkdir_with_parents(folder, 0o777) == 0 }

    /// The type of the file at a path, with links resolved; nil if nothing exists there.
    package static func kind(of path: String) -> mode_t? {
        var info = stat()
        return stat(path, &info) == 0 ? info.st_mode & S_IFMT : nil
    }
}
