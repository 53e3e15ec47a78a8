import Foundation
import Offstage
import OffstageRequests
import Testing

/// Documents with their options and files, to be sent to another machine.
@Suite struct PortableRequestTests {
    private func portable(_ text: String, _ options: [String: [String]] = [:]) throws -> PortableRequest {
        let settings = try Settings(ParsedOptions(values: options))
        return try PortableRequest(SourceDocument(.text(text), of: SourceRegistry.first, name: "a"), settings)
    }

    private func folder() -> String { NSTemporaryDirectory() + "offstage-portable-\(UUID().uuidString)" }

    @Test func theOtherMachineMakesTheSameRequest() throws {
        let place = folder()
        defer { try? FileManager.default.removeItem(atPath: place) }
        var sent = try portable("<p>é</p><img src=a/b.png>", ["width": ["300"], "max-elements": ["7"], "also": ["2x"]])
        let content = Data([1, 2, 3])
        let isBelow = sent.add(content, at: "a/b.png")
        #expect(isBelow)
        let arrived = try PortableRequest(sent.encoded)
        #expect(arrived == sent)
        let (request, variants) = try arrived.request(in: place)
        #expect(variants.count == 2 && variants[1].scale == 2)
        #expect(request.scale == 1)
        #expect(try Data(contentsOf: URL(fileURLWithPath: place + "/document/a/b.png")) == content)
    }

    @Test(arguments: ["../b", "a/../../b", "/b", "a//b", "", "./b", "a\u{0}b"])
    func aFileStaysInItsFolder(path: String) throws {
        var sent = try portable("<p>a")
        let isBelow = sent.add(Data([1]), at: path)
        #expect(!isBelow)
        // Another program may not check its paths.
        let data = try PropertyListSerialization.propertyList(from: sent.encoded, format: nil)
        var object = try #require(data as? [String: Any])
        object["files"] = [path: Data([1])]
        let forged = try PropertyListSerialization.data(fromPropertyList: object, format: .xml, options: 0)
        let arrived = try PortableRequest(forged)
        let place = folder()
        defer { try? FileManager.default.removeItem(atPath: place) }
        #expect(throws: UsageError.self) { try arrived.request(in: place) }
    }

    @Test func whatIsNoRequestIsAnError() {
        #expect(throws: (any Error).self) { try PortableRequest(Data("nonsense".utf8)) }
    }
}
