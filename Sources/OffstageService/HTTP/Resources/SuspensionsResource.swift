import Foundation
import Offstage
import OffstageRequests
import OffstageShared

/// `/v1/suspensions`: leases. During a lease, no drawing starts, but cached pictures are still returned.
struct SuspensionsResource: Sendable {
    let context: ServeContext

    private static let limit = 1000

    func post(_ request: HTTPRequest) throws(Problem) -> Handling {
        let seconds = try seconds(request)
        let isForm = request.contentType == "application/x-www-form-urlencoded"
        return .later { @MainActor () async throws(Problem) in try post(seconds, isForm: isForm) }
    }

    @MainActor
    private func post(_ seconds: Double, isForm: Bool) throws(Problem) -> HTTPAnswer {
        context.leases = context.leases.filter { $0.value.isActive }
        if context.leases.count >= Self.limit {
            throw Problem(
                429, "too-many-suspensions", "there are \(Self.limit) suspensions; end some",
                headers: ["Retry-After": "1"])
        }
        let name = UUID().uuidString.lowercased()
        context.leases[name] = context.renderer.suspend(for: .seconds(seconds))
        shareSuspension(name, seconds)
        if isForm { return HTTPAnswer(303).with("Location", "/") }
        return HTTPAnswer.json(["identifier": name, "seconds": seconds, "suspended": true], status: 201)
            .with("Location", "/v1/suspensions/\(name)")
    }

    func delete(_ request: HTTPRequest) throws(Problem) -> Handling {
        .later { @MainActor [name = request.parameter] () async throws(Problem) in try delete(name) }
    }

    @MainActor
    private func delete(_ name: String) throws(Problem) -> HTTPAnswer {
        guard let lease = context.leases.removeValue(forKey: name), lease.isActive else {
            throw Problem(
                404, "no-such-suspension", "there is no suspension with this identifier; it may have ended")
        }
        lease.end()
        shareSuspension(name, 0)
        return HTTPAnswer(204)
    }

    /// Suspends or resumes the other machines, too. This one does not wait for it.
    @MainActor
    private func shareSuspension(_ name: String, _ seconds: Double) {
        guard let shelf = context.service.remote?.shelf else { return }
        Task {
            do throws(SharedError) { try await shelf.suspend(name, seconds: seconds) } catch { shelf.note(error) }
        }
    }

    /// Ends all suspensions, for the status page's form.
    func endAll(_ request: HTTPRequest) throws(Problem) -> Handling {
        .later { @MainActor () async throws(Problem) in
            for (name, lease) in context.leases {
                lease.end()
                shareSuspension(name, 0)
            }
            context.leases = [:]
            return HTTPAnswer(303).with("Location", "/")
        }
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
