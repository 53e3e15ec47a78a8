import Offstage
import OffstageRequests
import Testing

@testable import OffstageService

/// A session's client can do what its rights allow. Each line is answered, and then the next one is read.
@Suite struct ClientRightsTests {
    private static func client(_ rights: String, prefix: String? = nil) throws -> ServiceClient {
        let rights = try #require(ClientRights(rights))
        return ServiceClient(
            turns: RenderClient("client a"), rights: try prefix.map { try #require(rights.limited(to: $0)) } ?? rights)
    }

    /// The codes of all results, in the order of the lines; `done` for a result without a code. Requests in the group
    /// `g` are cancelled.
    private func codes(of lines: [String], _ client: ServiceClient?) async throws -> [String] {
        let transport = await Transport(isOrdered: true, client: client)
        let run = transport.run()
        for line in lines { transport.send(line) }
        transport.send(#"{"command": "cancel", "group": "g"}"#)
        transport.end()
        let results = try await transport.results(lines.count + 1)
        _ = await run.value
        transport.lease.end()
        #expect(!transport.renderer.isSuspended)
        return results.dropLast().map { $0["code"] as? String ?? "done" }
    }

    @Test func nobodySuspendsWithoutTheRight() async throws {
        let lines = [#"{"command": "suspend"}"#, #"{"command": "resume"}"#, #"{"command": "stats"}"#]
        #expect(
            try await codes(of: lines, Self.client("draw,put,delete,events")) == ["not-allowed", "not-allowed", "done"])
        #expect(try await codes(of: lines, Self.client("draw,suspend")) == ["done", "done", "done"])
        // Clients of a service without tokens, and a program that does not share its service, have all rights.
        #expect(try await codes(of: lines, ServiceClient(turns: RenderClient("b"))) == ["done", "done", "done"])
        #expect(try await codes(of: lines, nil) == ["done", "done", "done"])
    }

    @Test func theMessageNamesTheRight() async throws {
        let transport = await Transport(client: try Self.client("draw"))
        let run = transport.run()
        transport.send(#"{"id": "s", "command": "suspend"}"#)
        transport.end()
        let result = try await transport.results(1)[0]
        #expect(result["id"] as? String == "s" && result["command"] as? String == "suspend")
        #expect(
            result["error"] as? String
                == "line 1: this client has no right to suspend and resume the queue; the service's operator can grant it "
                + "with rights=suspend in the token file")
        #expect(await run.value.failed == 1)
    }

    @Test func drawingAndIdentifiers() async throws {
        let named = { (name: String) in "{\"html\": \"x\", \"identifier\": \"\(name)\", \"group\": \"g\"}" }
        let lines = [request("1", #""group": "g""#), named("team/a"), named("other/a")]
        #expect(try await codes(of: lines, Self.client("put,suspend")) == Array(repeating: "not-allowed", count: 3))
        #expect(
            try await codes(of: lines, Self.client("draw", prefix: "team/")) == [
                "cancelled", "cancelled", "not-allowed",
            ])
        #expect(try await codes(of: lines, Self.client("draw")) == Array(repeating: "cancelled", count: 3))
        let prefetch = [#"{"command": "prefetch", "html": "x", "identifier": "other/a"}"#]
        #expect(try await codes(of: prefetch, Self.client("draw", prefix: "team/")) == ["not-allowed"])
        #expect(try await codes(of: prefetch, Self.client("put")) == ["not-allowed"])
    }

    /// An operator sees all sessions' suspensions and their owners, and can end them.
    @Test func suspensionsHaveOwners() async throws {
        let transport = await Transport(client: try Self.client("draw,suspend"))
        let run = transport.run()
        transport.lease.end()
        transport.send(#"{"id": "s", "command": "suspend", "seconds": 3600}"#)
        _ = try await transport.results(1)
        #expect(transport.renderer.isSuspended)
        #expect(transport.service.suspensions.active.map(\.owner) == ["client a"])
        transport.service.suspensions.endAll()
        #expect(!transport.renderer.isSuspended)
        #expect(transport.service.suspensions.active.isEmpty)
        transport.send(#"{"id": "r", "command": "resume"}"#)
        transport.end()
        #expect(try await transport.results(2)[1]["expired"] as? Bool == true)
        _ = await run.value
    }

    /// Each suspension is a lease in the queue.
    @Test func theirNumberIsLimited() async throws {
        let lines = (1...101).map { "{\"command\": \"suspend\", \"name\": \"\($0)\"}" }
        let codes = try await codes(of: lines + [lines[0]], nil)
        #expect(codes == Array(repeating: "done", count: 100) + ["invalid", "done"])
    }

    @Test func aServiceAnswersWith403() throws {
        var reader = ServiceRequestReader(RequestReader(folder: nil, allowsFiles: false))
        let body = #"{"html": "x", "identifier": "other/a"}"#
        let source = ImageRequest.Source(
            type: nil, body: .init(body.utf8), query: [:], accept: nil, client: try Self.client("draw", prefix: "team/")
        )
        let error = #expect(throws: Problem.self) {
            try ImageRequest(source, ServeConfiguration(), reader: &reader)
        }
        #expect(error?.status == 403 && error?.code == "not-allowed")
    }
}
