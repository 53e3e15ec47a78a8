import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// A snippet reads files in its base folder and nowhere else, whatever its document asks for.
final class BaseFolderTests: XCTestCase {
    private var root = ""
    private var folder = ""

    override func setUpWithError() throws {
        root = NSTemporaryDirectory() + "offstage-tests-\(UUID().uuidString)"
        folder = root + "/base"
        try FileManager.default.createDirectory(atPath: folder + "/sub", withIntermediateDirectories: true)
        try flatPNG(.red).write(to: URL(fileURLWithPath: folder + "/red.png"))
        try flatPNG(.red).write(to: URL(fileURLWithPath: root + "/secret.png"))
    }

    override func tearDownWithError() throws { try FileManager.default.removeItem(atPath: root) }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: folder + "/" + name, withDestinationPath: target)
    }

    /// A page with only an image from this source.
    private func drawn(_ source: String) throws -> RenderedPicture {
        try draw(
            "<img src='\(source)' width=10 height=10 style='display:block'>", width: 10, base: BaseFolder(folder))
    }

    private func assertRead(_ source: String, line: UInt = #line) throws {
        let image = try drawn(source)
        XCTAssertEqual(image.warnings, [], line: line)
        XCTAssertEqual(image.count(of: .red), 100, line: line)
    }

    private func assertRefused(_ source: String, _ name: String, _ reason: String, line: UInt = #line) throws {
        let image = try drawn(source)
        XCTAssertEqual(image.warnings, [DrawingWarning(.resourceRefused, name, reason: reason)], line: line)
        XCTAssertEqual(image.count(of: .red), 0, line: line)
    }

    func testFilesBelowAreRead() throws {
        try assertRead("red.png")
        try assertRead("./sub/../red.png")
        try assertRead("/red.png")
        try link("inside.png", to: "red.png")
        try assertRead("inside.png")
    }

    func testDotsDoNotLeadOut() throws {
        // The engine resolves the URL below its root; the provider receives encoded path components.
        XCTAssertEqual(try drawn("../secret.png").warnings, [DrawingWarning(.resourceMissing, "secret.png")])
        try assertRefused("..%2Fsecret.png", "../secret.png", "it is outside the base folder")
        try assertRefused("sub/..%2F..%2Fsecret.png", "sub/../../secret.png", "it is outside the base folder")
    }

    /// Documents made on Windows: a backslash means a slash, as in every browser.
    func testABackslashIsASlash() throws {
        try flatPNG(.red).write(to: URL(fileURLWithPath: folder + "/sub/red.png"))
        try flatPNG(.red).write(to: URL(fileURLWithPath: folder + #"/a\b.png"#))
        for source in [
            #"sub\red.png"#, #".\sub\red.png"#, #"\sub\red.png"#, #"sub\..\red.png"#, #"sub/.\red.png"#,
            #"sub\%2e.\red.png?a\b#c\d"#, "a%5Cb.png",
        ] {
            try assertRead(source)
        }
        try "body { background: url('..\\\\red.png') }".write(
            toFile: folder + "/sub/a.css", atomically: true, encoding: .utf8)
        let sheet = try draw(
            #"<link rel=stylesheet href="sub\a.css"><p style="height:9px">"#, width: 10, base: BaseFolder(folder))
        XCTAssertEqual(sheet.warnings, [])
        XCTAssertGreaterThan(sheet.count(of: .red), 0)
        // The base folder is the root for all of them.
        for source in [#"..\secret.png"#, #"sub\..\..\secret.png"#, #"sub\%2e%2e\..\secret.png"#] {
            XCTAssertEqual(try drawn(source).warnings, [DrawingWarning(.resourceMissing, "secret.png")], source)
        }
        try assertRefused(#"sub\..%2F..%2Fsecret.png"#, "sub/../../secret.png", "it is outside the base folder")
    }

    func testLinksDoNotLeadOut() throws {
        try link("absolute.png", to: root + "/secret.png")
        try link("relative.png", to: "../secret.png")
        try link("up", to: "..")
        try assertRefused("absolute.png", "absolute.png", "it is outside the base folder")
        try assertRefused("relative.png", "relative.png", "it is outside the base folder")
        try assertRefused("up/secret.png", "up/secret.png", "it is outside the base folder")
    }

    /// The pipe has no writer, so opening it would block for ever.
    func testAPipeAndAFolderAreNotOpened() throws {
        XCTAssertEqual(mkfifo(folder + "/pipe.png", 0o600), 0)
        try assertRefused("pipe.png", "pipe.png", "it is not a readable regular file")
        try assertRefused("sub", "sub", "it is not a readable regular file")
    }

    func testANameWithNULIsRefused() throws {
        let folder = BaseFolder(folder)
        try onLoop {
            do throws(ResourceError) {
                _ = try await folder.resource(at: "red.png\0.txt")
                XCTFail("read")
            } catch {
                XCTAssertEqual(error, .refused("its name contains a NUL"))
            }
        }
        XCTAssertFalse(try drawn("red.png%00.png").isComplete)
        XCTAssertEqual(try drawn("red.png%00.png").count(of: .red), 0)
    }

    /// A file of four terabytes that takes no space on the disk.
    func testAFileOverTheLimitIsNotRead() throws {
        let path = folder + "/huge.png"
        XCTAssertEqual(close(creat(path, 0o600)), 0)
        XCTAssertEqual(truncate(path, 4 << 40), 0)
        let image = try drawn("huge.png")
        XCTAssertEqual(image.warnings.map(\.code), [.resourceLimit])
        XCTAssertEqual(image.warnings.map(\.reason), ["the limit max-resource-bytes is 268435456"])
    }

    func testASnippetFilesBaseIsItsFolder() throws {
        let html = "<!doctype html><body style='margin:0'><img src=red.png style='display:block'>"
        try Data(html.utf8).write(to: URL(fileURLWithPath: folder + "/a.html"))
        var snippet = try Snippet(contentsOf: folder + "/a.html")
        snippet.geometry.width = 10
        XCTAssertEqual(try draw(snippet).count(of: .red), 100)
    }
}
