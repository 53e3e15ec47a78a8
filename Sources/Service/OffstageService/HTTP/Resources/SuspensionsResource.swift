import Foundation
import Offstage
import OffstageRequests
import OffstageShared

/// `/v1/suspensions`: leases. During a lease, no drawing starts, but cached pictures are still returned.
struct SuspensionsResource: Sendable {
    let context: ServeContext

    private var suspensions: Suspensions { context.service.suspensions }

    /// All suspensions, including those of batches, with their owners.
    func list(_ request: HTTPRequest) throws(Problem) -> Handling {
        let all = suspensions.active.map { one -> [String: Any] in
            ["identifier": one.identifier, "owner": one.owner, "seconds": max(0, one.end.timeIntervalSinceNow)]
        }
        return .now(.json(["suspensions": all]))
    }

    func post(_ request: HTTPRequest) throws(Problem) -> Handling {
        let seconds = try seconds(request)
        let isForm = request.contentType == "application/x-www-form-urlencoded"
        let owner = request.client?.turns.name ?? ""
        return .later { @MainActor () async throws(Problem) in try post(seconds, of: owner, isForm: isForm) }
    }

    @MainActor
    private func post(_ seconds: Double, of owner: String, isForm: Bool) throws(Problem) -> HTTPAnswer {
        let lease = context.renderer.suspend(for: .seconds(seconds))
        guard let name = suspensions.add(lease, of: owner, seconds: seconds) else {
            throw Problem(
                429, "too-many-suspensions",
                "there are \(Suspensions.limit) suspensions, which is the maximum; end one first",
                headers: ["Retry-After": "1"])
        }
        shareSuspension(name, seconds)
        if isForm { return HTTPAnswer(303).with("Location", "/") }
        return HTTPAnswer.json(
            ["identifier": name, "owner": owner, "seconds": seconds, "suspended": true], status: 201
        )
        .with("Location", "/v1/suspensions/\(name)")
    }

    func delete(_ request: HTTPRequest) throws(Problem) -> Handling {
        .later { @MainActor [name = request.parameter] () async throws(Problem) in try delete(name) }
    }

    @MainActor
    private func delete(_ name: String) throws(Problem) -> HTTPAnswer {
        guard suspensions.end(name) else {
            throw Problem(
                404, "no-such-suspension", "there is no suspension with this identifier; it may have ended")
        }
        shareSuspension(name, 0)
        return HTTPAnswer(204)
    }

    /// Suspends or resumes the other machines, too. This machine does not wait for that.
    @MainActor
    private func shareSuspension(_ name: String, _ seconds: Double) {
        guard let shelf = context.service.remote?.shelf else { return }
        Task {
            do throws(SharedError) { try await shelf.suspend(name, seconds: seconds) } catch { shelf.note(error) }
        }
    }

    /// Ends the suspensions of all clients. Also used by the form of the status page.
    func endAll(_ request: HTTPRequest) throws(Problem) -> Handling {
        .later { @MainActor () async throws(Problem) in
            for name in suspensions.endAll() { shareSuspension(name, 0) }
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
