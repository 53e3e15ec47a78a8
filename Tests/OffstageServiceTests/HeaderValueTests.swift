import Offstage
import Testing

@testable import OffstageService

/// Header values that a client can make long.
@Suite struct HeaderValueTests {
    private let tag = EntityTag(Digest(of: "picture"))

    @Test func aTagIsFoundInAList() {
        for list in [tag.text, "*", " \(tag.text)\t", "\"x\", \(tag.text)", ",, ,\(tag.text),", "W/\"x\",*"] {
            #expect(tag.isNamed(in: list, isStrong: true), "\(list)")
        }
        #expect(tag.isNamed(in: " W/\(tag.text)", isStrong: false))
        for list in ["W/\(tag.text)", "", " ", ",", " , \t,", "\"x\"", "W/", "**", "x\(tag.text)"] {
            #expect(!tag.isNamed(in: list, isStrong: true), "\(list)")
        }
    }

    @Test func formatsAreChosenByAFewRanges() {
        #expect(Acceptance.format("image/png;q=0.1, image/webp")?.kind.mediaType == "image/webp")
        #expect(Acceptance.format(";;;, image/png")?.kind.mediaType == "image/png")
        let many = String(repeating: "a/b,", count: 49)
        #expect(Acceptance.format(many + "image/png")?.kind.mediaType == "image/png")
        #expect(Acceptance.format(many + "a/b,image/png") == nil)
    }

    @Test(arguments: [
        ("1.1", "", false), ("1.1", "Connection: close\r\n", true), ("1.1", "connection: x ,\tCLOSE\r\n", true),
        ("1.1", "Connection: closed, xclose\r\n", false), ("1.1", "Connection: x\r\nConnection: close\r\n", true),
        ("1.0", "", true), ("1.0", "Connection: Keep-Alive\r\n", false), ("1.0", "Connection:\r\n", true),
    ]) func connectionsEnd(version: String, field: String, closes: Bool) throws {
        let head = try RequestHead(Array("GET / HTTP/\(version)\r\nHost: a\r\n\(field)\r\n".utf8))
        #expect(head.closes == closes)
    }
}
