import Foundation

/// The way in which a handler answers.
enum Handling: Sendable {
    case now(HTTPAnswer)
    case later(@Sendable () async throws(Problem) -> HTTPAnswer)
    /// The headers, and the function that writes the body's pieces.
    case stream(HTTPAnswer, @Sendable (AnswerStream) async -> Void)
}

/// A method of a resource.
struct Route: Sendable {
    /// Runs on the connection's loop and must return within a millisecond. Longer work, and work on the main actor, returns
    /// `.later`.
    typealias Handler = @Sendable (HTTPRequest) throws(Problem) -> Handling

    let method: String
    /// A path, such as `/v1/images/{identifier}`, where the braces match the rest of the path.
    let pattern: String
    /// Nil for a batch, which takes over the connection.
    let handler: Handler?
    /// The right that a client needs; nil for any client.
    let right: ClientRights.Right?
    /// True if clients need no token.
    let isOpen: Bool

    init(
        _ method: String, _ pattern: String, _ right: ClientRights.Right? = nil, isOpen: Bool = false,
        _ handler: Handler?
    ) {
        (self.method, self.pattern, self.right, self.isOpen, self.handler) = (method, pattern, right, isOpen, handler)
    }

    /// The text that the braces match; nil if the path does not match.
    func parameter(of path: String) -> String? {
        guard let brace = pattern.firstIndex(of: "{") else { return path == pattern ? "" : nil }
        let prefix = pattern[..<brace]
        guard path.utf8.count > prefix.utf8.count, path.hasPrefix(prefix) else { return nil }
        return String(path.dropFirst(prefix.count))
    }
}

/// All routes of a service.
struct Routes: Sendable {
    let all: [Route]

    /// - Throws: 404 or 405.
    func find(_ method: String, _ path: String) throws(Problem) -> (route: Route, parameter: String) {
        // A route without braces has priority.
        let named = all.filter { $0.pattern == path }
        var methods: [String] = []
        for route in named.isEmpty ? all : named {
            guard let parameter = route.parameter(of: path) else { continue }
            if route.method == method { return (route, parameter) }
            methods.append(route.method)
        }
        if methods.isEmpty {
            throw Problem(404, "no-such-resource", "there is nothing at this path; /v1/openapi.json lists all paths")
        }
        let allowed = methods.joined(separator: ", ")
        throw Problem(405, "method-not-allowed", "this path takes \(allowed)", headers: ["Allow": allowed])
    }
}
