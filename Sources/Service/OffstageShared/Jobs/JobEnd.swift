import Foundation
import Offstage

/// Describes how a job without a picture ends. The rules are implemented here; the database only applies the values.
struct JobEnd: Sendable, Hashable {
    /// `failed`, `dead` or `waiting`.
    var state: String
    /// The number of processes that this attempt has ended.
    var crashes: Int
    /// The reason, for waiting clients. Nil for a job that is tried again.
    var reason: JobFailure?

    /// A document that has ended this many processes counts as dead.
    static let mostCrashes = 3

    /// The end after a failed drawing.
    ///
    /// - Parameter before: the number of processes that earlier attempts ended.
    init(_ error: DrawingError, before: Int = 0) {
        switch error {
        case .engineCrashed:
            // The job ended two processes that drew nothing else. Any other end of a process may be an accident, and is
            // reported as another error or none.
            (state, crashes, reason) = ("dead", 2, JobFailure(error))
        case .cancelled, .finished:
            // The node is ending, or its own client has disconnected. Other nodes can draw the job.
            (state, crashes, reason) = ("waiting", 0, nil)
        default: (state, crashes, reason) = ("failed", 0, JobFailure(error))
        }
    }

    /// For a job whose node has ended. The node may have started several jobs, of which at most one was the cause, so
    /// each is tried again, alone.
    ///
    /// - Parameter before: the number of processes that earlier attempts ended.
    init(nodeLostAfter before: Int) {
        let isDead = before + 1 >= Self.mostCrashes
        (state, crashes, reason) = (isDead ? "dead" : "waiting", 1, isDead ? JobFailure(.engineCrashed) : nil)
    }

    /// True for a job that a node must draw alone.
    static func isAlone(crashes: Int) -> Bool { crashes > 0 }
}

/// The reason for a failed job, for a client on another machine.
package struct JobFailure: Sendable, Hashable, Codable {
    package var code: String
    package var message: String
    /// The warnings of an incomplete picture; nil for other failures.
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
