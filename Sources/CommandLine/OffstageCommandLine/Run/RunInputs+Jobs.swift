import Foundation
import OffstageService

extension RunInputs {
    /// Nil if the run replaces no file, because logging each file that a document reads takes time.
    ///
    /// - Parameter others: the paths of other files that the run writes.
    convenience init?(of found: JobSource.Jobs, for output: OutputPlan, and others: [String] = []) {
        let isTaken =
            others.contains { access($0, F_OK) == 0 }
            || found.jobs.contains { job in
                output.paths(job.input.identifier, job.settings).contains { access($0, F_OK) == 0 }
            }
        if !isTaken { return nil }
        self.init()
        for path in found.files.union(found.rowFiles) { add(path) }
        for path in found.jobs.compactMap(\.input.sourceFile) { add(path) }
    }
}
