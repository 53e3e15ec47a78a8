import Foundation
import Offstage
import OffstageRequests
import OffstageShared

/// `/v1/suspensions`: leases. During a lease, no drawing starts, but cached pictures are still returned.
@MainActor
struct SuspensionsResource {
    let context: ServeContext

    private static let limit = 1000

    func post(_ request: HTTPRequest) throws(Problem) -> Handling {
        let seconds = try seconds(request)
        context.leases = context.leases.filter { $0.value.isActive }
        if context.leases.count >= Self.limit {
            throw Problem(
                429, "too-many-suspensions", "there are \(Self.limit) suspensions; end some",
                headers: ["Retry-After": "1"])
        }
        let name = UUID().uuidString.lowercased()
        context.leases[name] = context.renderer.suspend(for: .seconds(seconds))
        shareSuspension(name, seconds)
        if request.contentType == "application/x-www-form-urlencoded" {
            return .now(HTTPAnswer(303).with("Location", "/"))
        }
        return .now(
            .json(["identifier": name, "seconds": seconds, "suspended": true], status: 201)
                .with("Location", "/v1/suspensions/\(name)"))
    }

    func delete(_ request: HTTPRequest) throws(Problem) -> Handling {
        guard let lease = context.leases.removeValue(forKey: request.parameter), lease.isActive else {
            throw Problem(
                404, "no-such-suspension", "there is no suspension with this identifier; it may have ended")
        }
        lease.end()
        shareSuspension(request.parameter, 0)
        return .now(HTTPAnswer(204))
    }

    /// Suspends or resumes the other machines, too. This one does not wait for it.
    private func shareSuspension(_ name: String, _ seconds: Double) {
        guard let shelf = context.service.remote?.shelf else { return }
        Task {
            do throws(SharedError) { try await shelf.suspend(name, seconds: seconds) } catch { shelf.note(error) }
        }
    }

    /// Ends all suspensions, for the status page's form.
    func endAll(_ request: HTTPRequest) throws(Problem) -> Handling {
        for (name, lease) in context.leases {
            lease.end()
            shareSuspension(name, 0)
        }
        context.leases = [:]
        return .now(HTTPAnswer(303).with("Location", "/"))
    }

    private func seconds(_ request: HTTPRequest) throws(Problem) -> Double {
        if request.body.isEmpty || request.contentType == "application/x-www-form-urlencoded" {
            return LineCommand.leaseSeconds
        }
        guard request.contentType == "application/json" else {
            throw Problem(415, "unsupported-body", "the body must be application/json, or empty")
        }
        let object = try HTTPRequest.object(request.body)
        if let key = object.keys.sorted().first(where: { $0 != "seconds" }) {
            throw Problem(422, "invalid-request", "there is no key \(key.quoted); the only key is \"seconds\"")
        }
        guard let value = object["seconds"] else { return LineCommand.leaseSeconds }
        if let seconds = value.seconds { return seconds }
        throw Problem(
            422, "invalid-request", "\"seconds\" takes a number, more than 0 and up to 86400, not \(value.shown)")
    }
}
