import Foundation
import Offstage
import OffstageRequests
import Synchronization

/// The files from which a run's pictures are made, so that no picture replaces one of them: not a background of ink, and not an image in
/// another document.
final class RunInputs: Sendable {
    private let files = Mutex<Set<FileNumber>>([])

    /// Nil if no picture replaces a file: to log each file that a document reads takes time.
    convenience init?(of found: JobSource.Jobs, for output: OutputPlan) {
        let isTaken = found.jobs.contains { job in
            output.paths(job.input.identifier, job.settings).contains { access($0, F_OK) == 0 }
        }
        if !isTaken { return nil }
        self.init()
        for path in found.files.union(found.rowFiles) { add(path) }
        for path in found.jobs.compactMap(\.input.sourceFile) { add(path) }
    }

    /// Call it before the file is read. A missing file is ignored.
    func add(_ path: String) {
        guard let file = FileNumber(path) else { return }
        _ = files.withLock { $0.insert(file) }
    }

    /// - Parameter path: the place of a picture, which may be another name of a file.
    /// - Throws: an error if the run reads the file there.
    func check(_ path: String) throws(UsageError) {
        guard let file = FileNumber(path), files.withLock({ $0.contains(file) }) else { return }
        throw UsageError(
            "\(path) is a file that this run reads, and was not changed; choose another place for the picture")
    }
}
