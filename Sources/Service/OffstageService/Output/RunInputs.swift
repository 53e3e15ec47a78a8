import Offstage
import OffstageRequests
import Synchronization

/// The files from which pictures are made, so that no picture replaces one of them: not a background of ink, and not an image in another
/// document.
package final class RunInputs: Sendable {
    private let files = Mutex<Set<FileNumber>>([])

    package init() {}

    /// Call it before the file is read. A missing file is ignored.
    package func add(_ path: String) {
        guard let file = FileNumber(path) else { return }
        _ = files.withLock { $0.insert(file) }
    }

    /// - Parameters:
    ///   - path: the path of a file to write, which may be another name of an input.
    ///   - what: the new file's contents, for the message.
    /// - Throws: an error if it is one of the run's inputs.
    package func check(_ path: String, for what: String = "the picture") throws(UsageError) {
        guard let file = FileNumber(path), files.withLock({ $0.contains(file) }) else { return }
        throw UsageError("\(path) is an input of this run, so it was not replaced; choose another path for \(what)")
    }
}
