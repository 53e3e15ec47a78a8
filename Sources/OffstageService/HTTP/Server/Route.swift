import Foundation

/// The way in which a request is answered.
@MainActor
enum Handling {
    case now(HTTPAnswer)
    case later(@MainActor () async -> HTTPAnswer)
    /// It answers by itself.
    case stream(@MainActor (Exchange) -> Void)
}

/// A resource's method.
@MainActor
struct Route {
    typealias Handler = @MainActor (HTTPRequest) throws(Problem) -> Handling

    let method: String
    /// `/v1/images/{identifier}`: what stands in braces is the rest of the path.
    let pattern: String
    /// Without a token, too.
    var isOpen = false
    let handler: Handler

    private var prefix: Substring? { pattern.firstIndex(of: "{").map { pattern[..<$0] } }

    /// Nil where the path is another's.
    func parameter(of path: String) -> String? {
        guard let prefix else { return path == pattern ? "" : nil }
        guard path.utf8.count > prefix.utf8.count, path.hasPrefix(prefix) else { return nil }
        return String(path.dropFirst(prefix.count))
    }
}

/// All routes of a service.
@MainActor
struct Routes {
    let all: [Route]

    enum Found {
        case route(Route, parameter: String)
        case refused(Problem)
    }

    func find(_ method: String, _ path: String) -> Found {
        // A path that is named by itself is no other's parameter.
        let named = all.filter { $0.pattern == path }
        let fitting = named.isEmpty ? all : named
        var methods: [String] = []
        for route in fitting {
            guard let parameter = route.parameter(of: path) else { continue }
            if route.method == method { return .route(route, parameter: parameter) }
            methods.append(route.method)
        }
        if methods.isEmpty {
            return .refused(
                Problem(404, "no-such-resource", "there is nothing at this path; /v1/openapi.json tells what there is"))
        }
        let allowed = methods.joined(separator: ", ")
        return .refused(
            Problem(
                405, "method-not-allowed", "this path takes \(allowed)", headers: [(name: "Allow", value: allowed)]))
    }
}
