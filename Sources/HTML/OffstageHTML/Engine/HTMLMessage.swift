import Foundation
import Offstage

/// The messages between a host and `offstage-html`. Both are from the same build.
package enum HTMLMessage: UInt16 {
    /// Host, first. Content: `HTMLConfiguration`.
    case configure = 1_000
    /// Host. Number: the drawing. Content: `HTMLJob`.
    case draw
    /// Host, the answer to `ask`. Number: the drawing. Values: the question's number; 0 for the file's bytes, 1 if it
    /// is missing, 2 if it is refused, 3 if it is too large. Content: the bytes, or the reason for the refusal.
    case told
    /// Host. Number: a drawing. The worker answers with `withdrawn` if it has not begun, and else not.
    case withdraw
    /// Host: the worker answers with `pong`.
    case ping
    /// Host: the worker starts what drawings need, and answers with `diagnosis`.
    case diagnose

    /// Worker. Number: the drawing. Values: the bytes of the pictures' memory; 1 if that is a temporary file; the
    /// number of processes that the worker has replaced so far. Content: `HTMLAnswer`. File: the pictures' memory.
    case drawn = 2_000
    /// Worker. Number: the drawing. Values: the number of processes that the worker has replaced so far. Content:
    /// `HTMLFailure`.
    case failed
    /// Worker: it needs a file of the document. Number: the drawing. Values: the question's number; the maximum size,
    /// bytes. Content: the path.
    case ask
    /// Worker. Number: a drawing that it will not begin.
    case withdrawn
    case pong
    /// Worker. Content: `HTMLDiagnosis`.
    case diagnosis
    /// Worker, before the first picture that was drawn without a sandbox, although a sandbox was wanted. Content:
    /// `HTMLAbsence`.
    case withoutSandbox
}

/// The settings that all drawings of a worker share.
package struct HTMLConfiguration: Codable, Sendable {
    /// The number of documents that it may draw at once.
    package var views: Int
    package var allowedHosts: AllowedHosts
    package var sandbox: Sandbox
    /// Nil for the machine's fonts.
    package var fonts = PrivateFonts.choice

    package init(views: Int, allowedHosts: AllowedHosts, sandbox: Sandbox) {
        self.views = views
        self.allowedHosts = allowedHosts
        self.sandbox = sandbox
    }
}

/// One drawing.
package struct HTMLJob: Codable, Sendable {
    package var snippet: Snippet
    /// True if the host answers questions about the document's files.
    package var hasFiles: Bool

    package init(_ snippet: Snippet) {
        self.snippet = snippet
        hasFiles = snippet.base != nil
    }
}

/// A drawing that failed.
package struct HTMLFailure: Codable, Sendable {
    package var error: DrawingError

    package init(_ error: DrawingError) { self.error = error }
}

/// A sandbox that is missing, with the reason.
package struct HTMLAbsence: Codable, Sendable {
    package var reason: EngineUnavailable

    package init(_ reason: EngineUnavailable) { self.reason = reason }
}

/// The state of what drawings need, for `doctor`.
package struct HTMLDiagnosis: Codable, Sendable {
    /// The private display, such as `:99`; nil if it did not start.
    package var display: String?
    /// Seconds until it accepted connections.
    package var displaySeconds: Double
    /// The problem with the display; nil if it works.
    package var problem: EngineUnavailable?
    package var sandboxAbsence: EngineUnavailable?
    /// The versions of WebKitGTK and GTK.
    package var webKit: String
    package var gtk: String
    /// True if all of WebKit's processes have a network of their own, which is empty; nil if none is running.
    package var hasOwnNetwork: Bool?
    package var networkProblem: String?

    package init(
        display: String?, displaySeconds: Double, problem: EngineUnavailable?, sandboxAbsence: EngineUnavailable?,
        webKit: String, gtk: String, hasOwnNetwork: Bool?, networkProblem: String?
    ) {
        (self.display, self.displaySeconds, self.problem) = (display, displaySeconds, problem)
        self.sandboxAbsence = sandboxAbsence
        (self.webKit, self.gtk) = (webKit, gtk)
        (self.hasOwnNetwork, self.networkProblem) = (hasOwnNetwork, networkProblem)
    }
}

/// The form of messages: property lists, which keep bytes and numbers as they are.
package enum HTMLMessageContent {
    package static func data(of value: some Encodable) -> Data {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        // Encoding fails only for values other than dictionaries and arrays; messages are structures.
        return (try? encoder.encode(value)) ?? Data()
    }

    /// - Returns: nil for anything but the value's encoding.
    package static func value<Value: Decodable>(of data: Data, as type: Value.Type = Value.self) -> Value? {
        try? PropertyListDecoder().decode(type, from: data)
    }
}
