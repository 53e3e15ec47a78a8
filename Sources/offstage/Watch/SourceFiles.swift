import Foundation
import Offstage
import OffstageWebKit
import Synchronization

/// The files that a picture is made from, as they were just before they were read.
final class SourceFiles: Sendable {
    private let stamps = Mutex<[String: FileStamp]>([:])

    /// Call it before the file is read: a change in between then shows as one.
    func add(_ path: String) {
        let stamp = FileStamp(path)
        // The first: what was read earlier may be older.
        stamps.withLock { if $0[path] == nil { $0[path] = stamp } }
    }

    /// The files of another's that these are, as they were then.
    func add(_ paths: Set<String>, asIn other: SourceFiles) {
        let known = other.stamps.withLock { $0 }
        for path in paths {
            let stamp = known[path] ?? FileStamp(path)
            stamps.withLock { if $0[path] == nil { $0[path] = stamp } }
        }
    }

    var paths: [String] { stamps.withLock { Array($0.keys) } }

    /// True where all files are as they were; one that was missing is missing still.
    ///
    /// - Parameter other: what has been read already, as it was then: what has come since is not in it.
    func areUnchanged(since other: SourceFiles) -> Bool {
        let known = other.stamps.withLock { $0 }
        return stamps.withLock { $0.allSatisfy { (known[$0.key] ?? FileStamp($0.key)) == $0.value } }
    }
}

/// What changes when a file does. A folder's is always the same: what happens in it shows at its files.
struct FileStamp: Sendable, Equatable {
    private var numbers: [Int] = []

    var isMissing: Bool { numbers.isEmpty }
    var isEmptyFile: Bool { !numbers.isEmpty && numbers[2] == 0 }

    init(_ path: String) {
        var info = stat()
        guard stat(path, &info) == 0, info.st_mode & S_IFMT != S_IFDIR else { return }
        numbers = [
            Int(info.st_dev), Int(info.st_ino), Int(info.st_size), info.st_mtim.tv_sec, info.st_mtim.tv_nsec,
            info.st_ctim.tv_sec, info.st_ctim.tv_nsec,
        ]
    }
}

/// A base folder that notes what a snippet asks it for.
struct RecordingFolder: ResourceProvider {
    let folder: BaseFolder
    let sources: SourceFiles

    func resource(at path: String) async throws(ResourceError) -> Data { try await resource(at: path, upTo: .max) }

    func resource(at path: String, upTo count: Int) async throws(ResourceError) -> Data {
        // What may lie outside the folder is refused, changed or not.
        if !path.split(separator: "/").contains(".."), !path.utf8.contains(0) {
            sources.add((folder.path as NSString).appendingPathComponent(path))
        }
        return try await folder.resource(at: path, upTo: count)
    }
}
