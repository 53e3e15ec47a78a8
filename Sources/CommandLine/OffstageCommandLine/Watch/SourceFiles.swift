import Foundation
import Offstage
import Synchronization

/// The files from which a picture is made, with their state just before they were read.
final class SourceFiles: Sendable {
    /// Nil for a file that is missing.
    private let states = Mutex<[String: FileState?]>([:])

    /// Call it before the file is read, so that a change in between is detected.
    func add(_ path: String) {
        let state = FileState(path)
        // Keep the first state: an earlier read may have returned older data.
        states.withLock { if $0[path] == nil { $0[path] = state } }
    }

    /// Adds the files of another object, with their recorded state.
    func add(_ paths: Set<String>, asIn other: SourceFiles) {
        let known = other.states.withLock { $0 }
        for path in paths {
            let state = known[path, default: FileState(path)]
            states.withLock { if $0[path] == nil { $0[path] = state } }
        }
    }

    var paths: [String] { states.withLock { Array($0.keys) } }

    /// True if all files are unchanged; a missing file must still be missing.
    ///
    /// - Parameter other: files that have already been read, with their state at that time. The data that was read does
    ///   not include later changes.
    func areUnchanged(since other: SourceFiles) -> Bool {
        let known = other.states.withLock { $0 }
        return states.withLock { $0.allSatisfy { known[$0.key, default: FileState($0.key)] == $0.value } }
    }
}
