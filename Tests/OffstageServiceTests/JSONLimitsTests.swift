import Foundation
import Offstage
import OffstageRequests
import Testing

@testable import OffstageService

/// An object is refused from its bytes, before anything is built from it. Objects that requests need are never
/// refused.
@Suite struct JSONLimitsTests {
    private func read(_ text: String, limitsTexts: Bool = true) throws(UsageError) -> [String: JSONValue] {
        try JSONValue.object(
            ofLine: Data(text.utf8), at: "line 1", ifNotText: "", ifNotJSON: "", limitsTexts: limitsTexts)
    }

    private func error(_ text: String) -> String {
        do throws(UsageError) {
            _ = try read(text)
            return "none"
        } catch { return error.description }
    }

    private static let tooMany = "line 1: the object has more than 10000 keys and elements of lists"
    private static let tooDeep = "line 1: the object has lists and objects nested more than 8 deep"

    @Test func keysAndElementsAreCounted() throws {
        let keys = { (count: Int) in "{" + (1...count).map { "\"k\($0)\":1" }.joined(separator: ",") + "}" }
        #expect(try read(keys(10_000)).count == 10_000)
        #expect(error(keys(10_001)) == Self.tooMany)
        #expect(error(keys(100_000)) == Self.tooMany)
        let also = { (count: Int) in
            "{\"also\":[" + Array(repeating: "\"webp\"", count: count).joined(separator: ",") + "]}"
        }
        #expect(try read(also(9_998)).count == 1)
        #expect(error(also(10_000)) == Self.tooMany)
        // Elements in many small lists, nested or side by side, also count.
        #expect(error("{\"a\":[" + String(repeating: "[[]],", count: 4000) + "1]}") == Self.tooMany)
        // A repeated key counts each time.
        #expect(error("{" + String(repeating: "\"a\":1,", count: 20_000) + "\"a\":1}") == Self.tooMany)
    }

    /// The decoder takes a minute for 30 KB that are nested 400 levels deep.
    @Test func depth() throws {
        func nested(_ depth: Int, _ open: String, _ close: String) -> String {
            "{\"a\":" + String(repeating: open, count: depth - 1) + "1" + String(repeating: close, count: depth - 1)
                + "}"
        }
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            #expect(try read(nested(8, open, close)).count == 1)
            for depth in [9, 100, 500, 600] { #expect(error(nested(depth, open, close)) == Self.tooDeep) }
        }
        #expect(error(String(repeating: "[", count: 7_000_000)) == Self.tooDeep)
        #expect(error(String(repeating: "]", count: 100_000)).contains("not valid JSON"))
    }

    /// Texts can contain anything, any number of times.
    @Test func textsAreNotCounted() throws {
        let marks = String(repeating: "[{,:}]", count: 50_000)
        for text in [marks, "\\\"" + marks, marks + "\\\\", "\\\\\\\"" + marks + "\\n\\\\", "\\ud83d\\ude00" + marks] {
            #expect(try read("{\"html\":\"\(text)\",\"width\":1}").count == 2)
        }
        for escape in ["\\n", "\\\\", "\\\"", "\\u00e9", "\\ud83d\\ude00"] {
            let object = try read("{\"html\":\"" + String(repeating: escape, count: 1_000_000) + "\"}")
            guard case .text(let text)? = object["html"] else {
                Issue.record("no text")
                continue
            }
            #expect(text.unicodeScalars.count == 1_000_000)
        }
    }

    @Test func strangeInputsAreNoTrap() {
        let many = String(repeating: "7", count: 1_000_000)
        for text in [
            "{\"a\":\(many)}", "{\"a\":0.\(many)}", "{\"a\":1e\(many)}", "{\"a\":-\(many)}", "{\"a", "\"", "\"\\", "",
            "{\"a\\",
            "{\"a\":\"" + String(repeating: "\\ud83d", count: 100_000) + "\"}",
            "{\"a\":\"" + String(repeating: "\\", count: 100_001),
        ] { #expect(error(text) != Self.tooMany) }
    }

    @Test func keysAreShort() throws {
        let key = { (count: Int, colon: String) in "{\"\(String(repeating: "k", count: count))\"\(colon)1}" }
        #expect(try read(key(255, ":")).count == 1)
        for colon in [":", " \n\t: "] {
            #expect(error(key(256, colon)) == "line 1: the object has a key of more than 255 bytes")
        }
    }

    @Test func onlyDocumentsAreLong() throws {
        let text = { (count: Int) in "\"" + String(repeating: "x", count: count) + "\"" }
        let long = "line 1: the object has a text of more than 4096 bytes in \"css\""
        #expect(try read("{\"html\":\(text(1_000_000)),\"css\":\(text(4096))}").count == 2)
        #expect(error("{\"html\":\"\",\"css\":\(text(4097))}") == long)
        #expect(error("{\"html\":\"\",\"css\":[1,\(text(4097))]}") == long)
        #expect(error("{\"html\":\"\",\"css\":{\"html\":\(text(4097))}}") == long)
        let sum = "{\"html\":\"\",\"css\":[" + Array(repeating: text(4000), count: 17).joined(separator: ",") + "]}"
        #expect(error(sum) == "line 1: the object has more than 65536 bytes of text in addition to its document")
        // The values of a template.
        #expect(try read("{\"note\":\(text(100_000))}", limitsTexts: false).count == 1)
    }

    @Test func aServiceAnswersWith422() {
        func problem(_ body: String) -> Problem? {
            let source = ImageRequest.Source(type: nil, body: Data(body.utf8), query: [:], accept: nil)
            var reader = ServiceRequestReader(RequestReader(folder: nil, allowsFiles: false))
            do throws(Problem) { _ = try ImageRequest(source, ServeConfiguration(), reader: &reader) } catch {
                return error
            }
            return nil
        }
        let deep = problem(String(repeating: "[", count: 9))
        #expect(deep?.status == 422 && deep?.code == "invalid-request")
        #expect(deep?.detail == Self.tooDeep.replacing("line 1", with: "the body"))
        #expect(problem("[1")?.status == 400)
        #expect(problem("[1")?.code == "invalid-body")
    }
}
