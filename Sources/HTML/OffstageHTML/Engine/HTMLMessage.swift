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
    /// Host: the worker answers with `pong`.
    case ping

    /// Worker. Number: the drawing. Values: the bytes of the pictures' memory; 1 if that is a temporary file; the
    /// number of processes that the worker has replaced so far. Content: `HTMLAnswer`. File: the pictures' memory.
    case drawn = 2_000
    /// Worker. Number: the drawing. Values: the number of processes that the worker has replaced so far. Content:
    /// `HTMLFailure`.
    case failed
    /// Worker: it needs a file of the document. Number: the drawing. Values: the question's number; the maximum size,
    /// bytes. Content: the path.
    case ask
    case pong
}

/// What all drawings of a worker have in common.
package struct HTMLConfiguration: Codable, Sendable {
    /// The number of documents that it may draw at once.
    package var views: Int
    package var allowedHosts: AllowedHosts
    package var sandbox: Sandbox
    /// False: WebKit's processes stay in the machine's network.
    package var hasOwnNetwork: Bool

    package init(views: Int, allowedHosts: AllowedHosts, sandbox: Sandbox, hasOwnNetwork: Bool) {
        self.views = views
        self.allowedHosts = allowedHosts
        self.sandbox = sandbox
        self.hasOwnNetwork = hasOwnNetwork
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

/// The reason why there is no picture.
package struct HTMLFailure: Codable, Sendable {
    package var error: DrawingError

    package init(_ error: DrawingError) { self.error = error }
}

/// The form of messages: property lists, which keep bytes and numbers as they are.
package enum HTMLMessageContent {
    package static func data(of value: some Encodable) -> Data {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        // Encoding fails only for values that are no dictionaries or arrays; messages are structures.
        return (try? encoder.encode(value)) ?? Data()
    }

    /// - Returns: nil for anything but the value's encoding.
    package static func value<Value: Decodable>(of data: Data, as type: Value.Type = Value.self) -> Value? {
        try? PropertyListDecoder().decode(type, from: data)
    }
}
