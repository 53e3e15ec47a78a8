import Foundation
import Offstage
import OffstageRequests

/// Folders that files are written into.
package enum OutputFolder {
    /// Makes the folder where it is missing, and checks that it can be written; an empty path is the working folder.
    ///
    /// - Parameter what: goes there, for the message.
    package static func prepare(_ folder: String, for what: String = "the pictures") throws(UsageError) {
        if folder.isEmpty { return }
        let code = create(folder)
        if code != 0 {
            throw UsageError(
                "cannot create the folder \(folder): \(String(cString: strerror(code))); "
                    + "choose another place for \(what)")
        }
        guard access(folder, W_OK | X_OK) == 0 else {
            throw UsageError(
                "cannot write into \(folder): \(String(cString: strerror(errno))); choose another place for \(what)")
        }
    }

    /// Creates a folder and those above it, where they are missing. Foundation does that too, and does not say why it failed.
    ///
    /// - Returns: 0, or why there is no such folder, an `errno`.
    @discardableResult
    package static func create(_ folder: String) -> Int32 {
        if mkdir(folder, 0o777) == 0 { return 0 }
        let code = errno
        if code == EEXIST {
            var info = stat()
            return stat(folder, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR ? 0 : ENOTDIR
        }
        let parent = parentFolder(of: folder)
        if code != ENOENT || parent.isEmpty || parent == folder { return code }
        let codeOfParent = create(parent)
        if codeOfParent != 0 { return codeOfParent }
        return mkdir(folder, 0o777) == 0 || errno == EEXIST ? 0 : errno
    }

    /// What is at a path, behind links too; nil where there is nothing.
    package static func kind(of path: String) -> mode_t? {
        var info = stat()
        return stat(path, &info) == 0 ? info.st_mode & S_IFMT : nil
    }
}
