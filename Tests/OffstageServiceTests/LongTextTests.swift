import Foundation
import Offstage
import OffstageRequests
import Testing

@testable import OffstageService

/// A client's names are short, and no message repeats a client's long text.
@Suite struct LongTextTests {
    private func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    @Test func identifiersAreShortAsAWhole() async throws {
        var reader = RequestReader(folder: nil, allowsFiles: false)
        func message(_ identifier: String) -> String? {
            let row: [String: JSONValue] = ["html": .text("x"), "identifier": .text(identifier)]
            do throws(UsageError) { _ = try reader.read(row, at: "line 1") } catch { return error.description }
            return nil
        }
        let parts = { (count: Int) in
            String(repeating: "a/", count: count / 2) + String(repeating: "b", count: 1 + count % 2)
        }
        #expect(message(text(255)) == nil && message(parts(254)) == nil)
        for long in [text(256), parts(256), parts(7_000_000), text(127) + String(repeating: "é", count: 65)] {
            #expect(message(long)?.hasSuffix("has more than 255 bytes; shorten it") == true)
            #expect(message(long)?.utf8.count ?? 0 < 500)
        }
        await #expect(throws: Problem.self) { try await MainActor.run { try ImageResource.checked(self.text(256)) } }
    }

    /// The identifier of a row for `render` is a path in a folder, and may contain folders with any names.
    @Test func pathsOfRowsAreLonger() throws {
        let path = { (count: Int) in
            String(repeating: "folder-8/", count: count / 9) + String(repeating: "b", count: count % 9)
        }
        func read(_ identifier: String) throws -> String {
            try RowIdentifier.read(
                ["identifier": .text(identifier)], at: "line 1", limit: RowIdentifier.longestPath)
        }
        #expect(try read(path(4096)).utf8.count == 4096)
        #expect(throws: UsageError.self) { try read(path(4097)) }
        #expect(throws: UsageError.self) { try read(self.text(256)) }
    }

    @Test func whatResultsRepeatIsShort() async throws {
        let transport = await Transport()
        let run = transport.run()
        transport.send("{\"id\": \"\(text(256))\", \"html\": \"x\"}")
        transport.send("{\"id\": \"1\", \"html\": \"x\", \"identifier\": \"\(text(256))\"}")
        transport.send("{\"id\": \"1\", \"html\": \"x\", \"group\": \"\(text(256))\"}")
        transport.send("{\"id\": \"1\", \"command\": \"suspend\", \"name\": \"\(text(256))\"}")
        for key in LineTarget.keys {
            transport.send("{\"id\": \"1\", \"command\": \"cancel\", \"\(key.rawValue)\": \"\(text(256))\"}")
        }
        transport.end()
        let results = try await transport.results(8)
        for (result, line) in zip(results, transport.lines) {
            #expect(result["code"] as? String == "invalid")
            #expect((result["error"] as? String)?.contains("255 bytes") == true, "\(result)")
            #expect(line.utf8.count < 500)
        }
        #expect(results[0]["id"] == nil)
        #expect(await run.value.failed == 8)
    }

    @Test func theirEndIsAllowed() async throws {
        let transport = await Transport()
        let run = transport.run()
        transport.send("{\"id\": \"\(text(255))\", \"command\": \"suspend\", \"name\": \"\(text(255))\"}")
        transport.send("{\"id\": \"\(text(255))\", \"html\": \"x\", \"group\": \"\(text(255))\"}")
        transport.send("{\"id\": \"2\", \"command\": \"cancel\", \"group\": \"\(text(255))\"}")
        transport.end()
        #expect(Set(try await transport.ids(3)) == [text(255), "2"])
        #expect(await run.value.failed == 0)
    }

    /// A character can consist of any number of scalars.
    @Test func quotations() {
        #expect(text(80).quoted == "\"\(text(80))\"")
        #expect(text(1_000_000).quoted == "\"\(text(80))…\"")
        let marks = "e" + String(repeating: "\u{301}", count: 100_000)
        #expect(marks.quoted.unicodeScalars.count == 83)
        #expect(marks.excerpt.unicodeScalars.count == 81)
        #expect(String(repeating: "é", count: 80).excerpt == String(repeating: "é", count: 80))
        #expect("[\(text(100))]".dropFirst().excerpt == text(80) + "…")
    }

    @Test(arguments: RowSettings.table.filter { !$0.kind.isPath }.map(\.name))
    func noMessageRepeatsALongValue(name: String) {
        for long in [
            text(3000), "thumb:" + text(3000), "2x:" + text(3000), "jpeg:" + text(3000), "jpeg:quality=" + text(3000),
        ] {
            for source in SourceRegistry.all {
                var settings = RowSettings(folder: nil)
                do throws(UsageError) {
                    _ = try settings.settings(for: [name: .text(long)], of: source, at: "line 1")
                } catch { #expect(error.description.utf8.count < 1500, "\(error)") }
            }
        }
    }
}
