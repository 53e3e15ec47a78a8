import Foundation
import Offstage

/// The end of a job without a picture. The rules are values here, and the database only follows them.
struct JobEnd: Sendable, Hashable {
    /// `failed`, `dead` or `waiting`.
    var state: String
    /// The processes that this attempt has cost.
    var crashes: Int
    /// For those who wait; nil for a job that is tried again.
    var reason: JobFailure?

    /// A document is given up after so many processes.
    static let mostCrashes = 3

    /// After a drawing that has failed.
    ///
    /// - Parameter before: the processes that earlier attempts have cost.
    init(_ error: DrawingError, before: Int = 0) {
        switch error {
        case .engineCrashed:
            // It has ended two processes of its own that drew nothing else. Any other end of a process may be an accident, and is
            // another error, or none.
            (state, crashes, reason) = ("dead", 2, JobFailure(error))
        case .cancelled, .finished:
            // The node ends, or its own client has gone: others can draw it.
            (state, crashes, reason) = ("waiting", 0, nil)
        default: (state, crashes, reason) = ("failed", 0, JobFailure(error))
        }
    }

    /// After the end of a node that had begun the job. Several jobs may have been begun, and one of them at most was the cause:
    /// each is tried again, alone.
    ///
    /// - Parameter before: the processes that earlier attempts have cost.
    init(nodeLostAfter before: Int) {
        let isDead = before + 1 >= Self.mostCrashes
        (state, crashes, reason) = (isDead ? "dead" : "waiting", 1, isDead ? JobFailure(.engineCrashed) : nil)
    }

    /// True for a job that a node draws while it draws nothing else.
    static func isAlone(crashes: Int) -> Bool { crashes > 0 }
}

/// The reason of a failed job, for a client at another machine.
package struct JobFailure: Sendable, Hashable, Codable {
    package var code: String
    package var message: String
    /// Of an incomplete picture; nil for other failures.
    package var warnings: [DrawingWarning]?

    package init(_ error: DrawingError) {
        if case .incomplete(let warnings) = error { self.warnings = warnings }
        if case .engineCrashed = error { code = Self.crashed } else { code = "not-drawn" }
        if case .unusable(let problem) = error { code = problem.code }
        message = error.description
    }

    private static let crashed = "engine-crashed"

    package var error: DrawingError {
        if let warnings { return .incomplete(warnings) }
        return code == Self.crashed ? .engineCrashed : .unusable(SourceProblem(code, message))
    }

    var json: String { String(decoding: (try? JSONEncoder().encode(self)) ?? Data(), as: UTF8.self) }

    init?(json: String) {
        guard let failure = try? JSONDecoder().decode(JobFailure.self, from: Data(json.utf8)) else { return nil }
        self = failure
    }
}
