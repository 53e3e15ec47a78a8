import Foundation
import Testing

/// `offstage pipe` as tests use it. At the end, its output is validated with the schema of results.
final class PipeProgram {
    let child: Child

    init(
        _ options: String..., program: String = Offstage.path, environment: [String: String?] = [:], in folder: Folder
    ) throws {
        child = try Child(
            [program, "pipe"] + options, holdsInput: true, environment: environment, folder: folder.path)
    }

    /// Sends lines, each with a line end.
    func send(_ lines: String...) { for line in lines { child.send(line + "\n") } }

    /// Waits for at least this many results and returns them in order.
    func results(_ count: Int) throws -> [PipeResult] {
        let isThere = eventually { child.hasEnded || lines.count >= count }
        try #require(isThere && lines.count >= count, "\(lines.count) of \(count) results; \(child.text(1))")
        return try lines.map(PipeResult.init)
    }

    /// Waits for the result with this id.
    func result(_ id: String) throws -> PipeResult {
        let isThere = eventually { child.hasEnded || lines.contains { $0.contains("\"id\":\"\(id)\"") } }
        try #require(isThere, "no result \(id): \(child.text(0)) \(child.text(1))")
        return try #require(try results(0).first { $0.id == id })
    }

    /// Waits until this many drawings are in the queue. Requests enter it only after their documents have been read
    /// and looked up in the cache.
    func untilWaiting(_ count: Int) throws -> [String: Any] {
        for number in 1...2000 {
            send(#"{"id": "look \#(number)", "command": "stats"}"#)
            let stats = try result("look \(number)").object
            if stats["waiting"] as? Int == count { return stats }
        }
        throw Child.Failure(description: "there never were \(count) drawings that wait")
    }

    /// Ends the input and waits for all results.
    func end() throws -> (outcome: Outcome, results: [PipeResult]) {
        child.endInput()
        let outcome = try child.wait()
        for error in try Schema.result.errors(in: lines) { #expect(error == nil) }
        return (outcome, try results(0))
    }

    /// The complete lines so far.
    private var lines: [String] {
        child.text(0).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}

/// A line of the pipe's output.
struct PipeResult {
    let object: [String: Any]

    init(_ line: String) throws {
        object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    var id: String? { object["id"] as? String }
    var line: Int? { object["line"] as? Int }
    var status: String? { object["status"] as? String }
    var code: String? { object["code"] as? String }
    var error: String? { object["error"] as? String }
    var path: String? { object["path"] as? String }
    var data: Data? { (object["data"] as? String).flatMap { Data(base64Encoded: $0) } }
    var isCached: Bool { object["kept"] as? Bool == true }
}

/// A request for a row of one colour.
func request(_ id: String, _ more: String = "", color: String = "red", height: Int = 40) -> String {
    #"{"id": "\#(id)", "html": "\#(row(color, height: height))"\#(more.isEmpty ? "" : ", " + more)}"#
}
