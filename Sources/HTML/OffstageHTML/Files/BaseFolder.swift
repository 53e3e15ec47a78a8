import COffstageSystem
import Foundation
import Offstage

/// Provides the regular files below one folder. Rejects a `..` or a symbolic link that leads outside it.
public struct BaseFolder: ResourceProvider, Hashable {
    public let path: String

    /// - Parameter path: The folder. An empty path is the working folder.
    public init(_ path: String) { self.path = path.isEmpty ? "." : path }

    public func resource(at path: String) async throws(ResourceError) -> Data {
        try await resource(at: path, upTo: .max)
    }

    public func resource(at path: String, upTo count: Int) async throws(ResourceError) -> Data {
        let result = await withCheckedContinuation { continuation in
            // Opening a file may take long on a network file system, or if another program has leased the file.
            // Concurrent queues, which Swift's tasks and all deadlines share, have only about as many threads as there
            // are processors; a serial queue has its own thread.
            DispatchQueue(label: "offstage.resource").async {
                continuation.resume(returning: read(path, upTo: count))
            }
        }
        return try result.get()
    }

    private func read(_ path: String, upTo count: Int) -> Result<Data, ResourceError> {
        do throws(ResourceError) { return .success(try contents(of: path, upTo: count)) } catch {
            return .failure(error)
        }
    }

    private func contents(of path: String, upTo count: Int) throws(ResourceError) -> Data {
        let file = try open(path)
        var info = stat()
        guard fstat(file.fileDescriptor, &info) == 0 else { throw .refused("it cannot be read") }
        if info.st_size > count { throw .tooLarge }
        // The file may be growing.
        do { return try file.read(upToCount: max(1, Int(info.st_size))) ?? Data() } catch {
            throw .refused("it cannot be read")
        }
    }

    public func digest(at path: String) async -> Digest? {
        guard let file = try? open(path) else { return nil }
        return FileDigests.shared.digest(of: file)
    }

    /// - Returns: An open regular file. It is closed when the handle is released.
    private func open(_ path: String) throws(ResourceError) -> FileHandle {
        // A C string ends at NUL: the rest would be ignored and another file opened.
        guard !path.utf8.contains(0) else { throw .refused("its name contains a NUL") }
        let file = offstage_open_beneath(self.path, path)
        guard file >= 0 else { throw Self.error(errno) }
        return FileHandle(fileDescriptor: file, closeOnDealloc: true)
    }

    private static func error(_ code: Int32) -> ResourceError {
        switch code {
        case ENOENT, ENOTDIR, ENAMETOOLONG: .missing
        case EXDEV: .refused("it is outside the base folder")
        case EACCES, EPERM: .refused("it is not a readable regular file")
        default: .refused(String(cString: strerror(code)))
        }
    }
}
