import Foundation
import Offstage
import XCTest

@testable import OffstageHTML
@testable import OffstageWebKit

/// The fingerprint, which decides whether a picture is still valid.
final class FingerprintTests: XCTestCase {
    private func fingerprint(_ change: (inout Snippet) -> Void) throws -> Fingerprint {
        try Snippet("<p>x</p>", identifier: "a").fingerprint(after: change)
    }

    /// An updated library invalidates pictures, whatever the version number in its file name.
    func testEveryLibraryThatDrawsIsFound() {
        // Some builds of WebKitGTK are not linked with these.
        let optional = ["library/libjxl", "library/libwoff2dec"]
        let missing = Machine.details.filter { $0.name.hasPrefix("library/") && $0.digest == "-" }.map(\.name)
        XCTAssertEqual(missing.filter { !optional.contains($0) }, [])
        XCTAssertEqual(Machine.converters.filter { $0.path == nil }.map(\.name), [])
    }

    func testTextsCannotBeTakenForOneAnother() throws {
        XCTAssertNotEqual(
            try fingerprint { ($0.emulation.language, $0.emulation.fonts.family) = ("de", "x\",\"y") },
            try fingerprint { ($0.emulation.language, $0.emulation.fonts.family) = ("de", "x") })
        XCTAssertNotEqual(
            try fingerprint { $0.styleSheets = ["a", "b"] }, try fingerprint { $0.styleSheets = ["ab"] })
    }

    /// The file is reported because the same document with a base folder would load it.
    func testAFileThatADocumentWithoutAFolderAsksForIsTold() throws {
        let image = try draw(Snippet("<img src='a.png'>x", identifier: "a"))
        XCTAssertEqual(image.dependencies, [Dependency(path: "a.png", digest: nil)])
    }

    func testTheFilesOfADrawingAreTold() throws {
        let files = MemoryFolder(text: ["a.css": "p{background:url(b%20c.svg?1)}", "unused.css": "p{}"])
        let image = try draw("<link rel=stylesheet href=./a.css><img src=none.png><p>x</p>", base: files)
        XCTAssertEqual(
            image.dependencies,
            [
                Dependency(path: "a.css", digest: Digest(of: files.files["a.css"]!)),
                Dependency(path: "b c.svg", digest: nil),
                Dependency(path: "none.png", digest: nil),
            ])
        XCTAssertEqual(try draw("<p>x</p>", base: files).dependencies, [])
    }

    func testAFilesPresentContent() throws {
        let engine = MainActor.assumeIsolated { WebEngine() }
        var snippet = Snippet("<p>x</p>", identifier: "a")
        let (there, gone, nowhere) = try onLoop {
            snippet.base = MemoryFolder(text: ["a.css": "p{}"])
            let there = await engine.digest(of: "a.css", for: snippet)
            let gone = await engine.digest(of: "b.css", for: snippet)
            snippet.base = nil
            return (there, gone, await engine.digest(of: "a.css", for: snippet))
        }
        XCTAssertEqual(there, Digest(of: "p{}"))
        XCTAssertNil(gone)
        XCTAssertNil(nowhere)
    }

    func testAFileThatChangesHasAnotherDigestAtOnce() throws {
        let folder = NSTemporaryDirectory() + "offstage-digest-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let base = BaseFolder(folder)
        let url = URL(fileURLWithPath: folder + "/a.css")
        try Data("p{}".utf8).write(to: url)
        // Old enough for its digest to be remembered.
        let old = [FileAttributeKey.modificationDate: Date(timeIntervalSinceNow: -3600)]
        try FileManager.default.setAttributes(old, ofItemAtPath: url.path)
        XCTAssertEqual(try onLoop { await base.digest(at: "a.css") }, Digest(of: "p{}"))
        // Changed in place, with the same size and modification time.
        let file = try FileHandle(forWritingTo: url)
        try file.write(contentsOf: Data("b{}".utf8))
        try file.close()
        try FileManager.default.setAttributes(old, ofItemAtPath: url.path)
        XCTAssertEqual(try onLoop { await base.digest(at: "a.css") }, Digest(of: "b{}"))
        try FileManager.default.removeItem(at: url)
        XCTAssertNil(try onLoop { await base.digest(at: "a.css") })
        XCTAssertNil(try onLoop { await base.digest(at: "../a.css") })
    }

    /// An asset that ten thousand rows use is read only once; a second read of this file would find nothing left.
    func testAFileThatWasReadIsKnown() throws {
        let file = try XCTUnwrap(FileHandle(forReadingAtPath: Repository.root + "/Package.swift"))
        let digest = FileDigests.shared.digest(of: file)
        XCTAssertEqual(digest, try Digest(ofFile: Repository.root + "/Package.swift"))
        XCTAssertEqual(FileDigests.shared.digest(of: file), digest)
        // A file that has only just changed may change again within the same clock tick.
        let path = NSTemporaryDirectory() + "offstage-\(UUID().uuidString)"
        try Data("one".utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let young = try XCTUnwrap(FileHandle(forReadingAtPath: path))
        XCTAssertEqual(FileDigests.shared.digest(of: young), Digest(of: "one"))
        XCTAssertEqual(FileDigests.shared.digest(of: young), Digest(of: ""))
    }
}
