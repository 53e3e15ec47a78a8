import CGLib
import COffstage
import OffstageRequests
import OffstageService

/// The error that a C program gets instead of a picture.
struct Failure: Sendable {
    var code: OffstageError
    var message: String

    init(_ code: ServiceResult.Code, _ message: String) {
        self.code =
            switch code {
            case .invalid, .notAllowed: OFFSTAGE_ERROR_INVALID
            case .unreadable: OFFSTAGE_ERROR_UNREADABLE
            case .notDrawn, .passwordRequired, .passwordWrong: OFFSTAGE_ERROR_NOT_DRAWN
            case .notWritten: OFFSTAGE_ERROR_NOT_WRITTEN
            case .superseded: OFFSTAGE_ERROR_SUPERSEDED
            case .cancelled: OFFSTAGE_ERROR_CANCELLED
            case .late: OFFSTAGE_ERROR_LATE
            case .queueFull, .memoryFull: OFFSTAGE_ERROR_QUEUE_FULL
            case .unavailable: OFFSTAGE_ERROR_UNAVAILABLE
            }
        self.message = message
    }

    init(_ error: ServiceError) { self.init(error.code, "\(error)") }

    /// Option names have no dashes here. A command line in the message stays unchanged.
    init(_ error: UsageError) {
        let parts = error.description.split(separator: "`", omittingEmptySubsequences: false)
        let message = parts.enumerated().map { index, part in
            index % 2 == 1 ? part : part.replacing(/--([a-z]+(?:-[a-z]+)*)/) { "\"\($0.output.1)\"" }
        }.joined(separator: "`")
        self.init(.invalid, message)
    }

    /// The caller frees it.
    func gError() -> UnsafeMutablePointer<GError> {
        g_error_new_literal(offstage_error_quark(), gint(code.rawValue), message)
    }

    /// Sets the caller's error, unless its pointer is NULL.
    func tell(_ place: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?) {
        g_set_error_literal(place, offstage_error_quark(), gint(code.rawValue), message)
    }
}
