import Foundation
import Offstage
import OffstageRequests

/// `/v1/suspensions`: leases; while there is one, nothing new is begun, and what is kept still comes.
@MainActor
struct SuspensionsResource {
    let context: ServeContext

    /// Of one that names no time, seconds: a client that forgets it, or ends, does not stop the service for good.
    static let standardSeconds = 60.0
    private static let limit = 1000

    func post(_ request: HTTPRequest) throws(Problem) -> Handling {
        let seconds = try seconds(request)
        context.leases = context.leases.filter { $0.value.isActive }
        if context.leases.count >= Self.limit {
            throw Problem(
                429, "too-many-suspensions", "there are \(Self.limit) suspensions; end some",
                headers: [(name: "Retry-After", value: "1")])
        }
        let name = UUID().uuidString.lowercased()
        context.leases[name] = context.renderer.suspend(for: .seconds(seconds))
        if request.contentType == "application/x-www-form-urlencoded" {
            return .now(HTTPAnswer(303).with("Location", "/"))
        }
        return .now(
            .json(["identifier": name, "seconds": seconds, "suspended": true], status: 201)
                .with("Location", "/v1/suspensions/\(name)"))
    }

    func delete(_ request: HTTPRequest) throws(Problem) -> Handling {
        guard let lease = context.leases.removeValue(forKey: request.parameter) else {
            throw Problem(404, "no-such-suspension", "there is no suspension of this identifier; it may have ended")
        }
        let wasActive = lease.isActive
        lease.end()
        if !wasActive {
            throw Problem(404, "no-such-suspension", "there is no suspension of this identifier; it has ended")
        }
        return .now(HTTPAnswer(204))
    }

    /// For the status page's form: ends all.
    func endAll(_ request: HTTPRequest) throws(Problem) -> Handling {
        for lease in context.leases.values { lease.end() }
        context.leases = [:]
        return .now(HTTPAnswer(303).with("Location", "/"))
    }

    private func seconds(_ request: HTTPRequest) throws(Problem) -> Double {
        if request.body.isEmpty || request.contentType == "application/x-www-form-urlencoded" {
            return Self.standardSeconds
        }
        guard request.contentType == "application/json" else {
            throw Problem(415, "unsupported-body", "the body has to be application/json, or empty")
        }
        let object: [String: JSONValue]
        do throws(UsageError) {
            object = try JSONValue.object(
                ofLine: request.body, at: "the body", ifNotText: "save it as UTF-8", ifNotJSON: "send one JSON object")
        } catch { throw Problem(400, "invalid-body", error.description) }
        if let key = object.keys.sorted().first(where: { $0 != "seconds" }) {
            throw Problem(422, "invalid-request", "there is no key \(key.quoted); \"seconds\" is")
        }
        switch object["seconds"] {
        case nil: return Self.standardSeconds
        case .integer(let number)? where (1...86_400).contains(number): return Double(number)
        case .number(let number)? where number > 0 && number <= 86_400: return number
        case let value?:
            throw Problem(
                422, "invalid-request", "\"seconds\" takes a number, more than 0 and up to 86400, not \(value.shown)")
        }
    }
}
