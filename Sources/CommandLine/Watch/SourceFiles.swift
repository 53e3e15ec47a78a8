import Foundation
import Synchronization

/// The files from which a picture is made, with their state just before they were read.
final class SourceFiles: Sendable {
    private let stamps = Mutex<[String: FileStamp]>([:])

    /// Call it before the file is read, so that a change in between is detected.
    func add(_ path: String) {
        let stamp = FileStamp(path)
        // Keep the first state: an earlier read may have returned older data.
        stamps.withLock { if $0[path] == nil { $0[path] = stamp } }
    }

    /// Adds files with their state in another object.
    func add(_ paths: Set<String>, asIn other: SourceFiles) {
        let known = other.stamps.withLock { $0 }
        for path in paths {
            let stamp = known[path] ?? FileStamp(path)
            stamps.withLock { if $0[path] == nil { $0[path] = stamp } }
        }
    }

    var paths: [String] { stamps.withLock { Array($0.keys) } }

    /// True if all files are unchanged; a missing file must still be missing.
    ///
    /// - Parameter other: files that have been read already, with their state at that time. A later change is not in
    ///   the data that was read.
    func areUnchanged(since other: SourceFiles) -> Bool {
        let known = other.stamps.withLock { $0 }
        return stamps.withLock { $0.allSatisfy { (known[$0.key] ?? FileStamp($0.key)) == $0.value } }
    }
}

/// The state of a file, which changes when the file does. The state of a folder is constant: changes in it appear in
/// its files.
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
