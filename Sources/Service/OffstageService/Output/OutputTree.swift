import Foundation
import Offstage
import OffstageRequests
import Synchronization

/// Writes files below one folder, and creates intermediate folders. Symbolic links never lead a file out of the folder.
///
/// Each folder is checked and opened once. Later files use its descriptor, as long as the path still leads to the same folder.
package final class OutputTree: Sendable {
    /// An open folder. It is closed with this object.
    private final class Directory: Sendable {
        let descriptor: Int32
        /// O_PATH, which Swift does not import. It also opens folders that cannot be read.
        private static let pathOnly: Int32 = 0o10_000_000
        private let device: dev_t
        private let inode: ino_t

        /// - Parameter file: the path of a file in the folder, for the error.
        init(_ path: String, for file: String) throws(FileError) {
            let path = path.isEmpty ? "." : path
            descriptor = Foundation.open(path, Self.pathOnly | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { throw FileError("write", path: file, code: errno) }
            var info = stat()
            fstat(descriptor, &info)
            (device, inode) = (info.st_dev, info.st_ino)
        }

        deinit { close(descriptor) }

        func isStill(at path: String) -> Bool {
            var info = stat()
            return stat(path.isEmpty ? "." : path, &info) == 0 && info.st_dev == device && info.st_ino == inode
        }
    }

    private let folder: String
    private let directories = Mutex<[String: Directory]>([:])

    /// The maximum number of open folders. When it is reached, all are closed.
    private static let mostDirectories = 64

    package init(below folder: String) { self.folder = folder }

    /// Writes a file, completely or not at all.
    ///
    /// - Throws: `FileError`; `UsageError` for a symbolic link that leads out of the folder.
    package func write(_ data: Data, to path: String) throws {
        let parent = parentFolder(of: path)
        let directory = try directory(parent, for: path)
        let name = String(
            decoding: path.utf8.dropFirst(parent.isEmpty ? 0 : parent.utf8.count).drop { $0 == 0x2F }, as: UTF8.self)
        if try AtomicFile.write(data, named: name, in: directory.descriptor, path: path) { return }
        // The path is a link: replace the file that it leads to.
        let links = LinkCheck(below: folder)
        if links.leadsOut(path) { throw UsageError(links.message(path)) }
        try AtomicFile.write(data, to: path)
    }

    private func directory(_ path: String, for file: String) throws -> Directory {
        if let known = directories.withLock({ $0[path] }), known.isStill(at: path) { return known }
        let links = LinkCheck(below: folder)
        if links.leadsOut(file) { throw UsageError(links.message(file)) }
        // If this fails, opening the folder reports the reason.
        OutputFolder.create(path)
        let directory = try Directory(path, for: file)
        directories.withLock { directories in
            if directories.count >= Self.mostDirectories { directories = [:] }
            directories[path] = directory
        }
        return directory
    }
}
