import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// What tells that a picture is still the right one.
final class FingerprintTests: XCTestCase {
    private func fingerprint(_ change: (inout Snippet) -> Void = { _ in }) throws -> Fingerprint {
        var snippet = Snippet("<p>x</p>", identifier: "a")
        change(&snippet)
        let engine = MainActor.assumeIsolated { WebEngine() }
        return try XCTUnwrap(engine.fingerprint(of: snippet))
    }

    func testWhateverDecidesPixelsIsInIt() throws {
        let plain = try fingerprint()
        XCTAssertEqual(plain, try fingerprint())
        let changes: [(String, (inout Snippet) -> Void)] = [
            ("html", { $0.html = Data("<p>y</p>".utf8) }), ("charset", { $0.charset = "latin1" }),
            ("type", { $0.type = .svg }),
            ("geometry", { $0.geometry.width = 401 }), ("geometry", { $0.geometry.shrinksToFit = true }),
            ("geometry", { $0.geometry.height = .fixed(100) }), ("geometry", { $0.geometry.minimumHeight = 100 }),
            ("geometry", { $0.geometry.maximumHeight = 100 }), ("geometry", { $0.geometry.viewportHeight = 100 }),
            ("geometry", { $0.geometry.scale = 1.5 }), ("selector", { $0.selector = Snippet.Selector("p") }),
            ("selector", { $0.selector = Snippet.Selector("p", isEach: true) }),
            ("margins", { $0.margins.isTrimmed = true }),
            ("margins", { $0.margins.padding = 1 }), ("margins", { $0.margins.color = .white }),
            ("background", { $0.background = .white }), ("background", { $0.background = .transparent }),
            ("emulation", { $0.emulation.colorScheme = .dark }), ("emulation", { $0.emulation.mediaType = .print }),
            ("emulation", { $0.emulation.motion = .noPreference }), ("emulation", { $0.emulation.contrast = .more }),
            ("emulation", { $0.emulation.language = "de" }), ("emulation", { $0.emulation.timeZone = "Asia/Tokyo" }),
            ("emulation", { $0.emulation.fonts.family = "A" }), ("emulation", { $0.emulation.fonts.size = 17 }),
            ("emulation", { $0.emulation.fonts.minimumSize = 9 }), ("style sheet", { $0.styleSheets = ["p{}"] }),
            ("scripts", { $0.runsScripts = true }),
        ]
        var seen: Set = [plain]
        for (number, (name, change)) in changes.enumerated() {
            let changed = try fingerprint(change)
            XCTAssertTrue(seen.insert(changed).inserted, "\(number): \(name)")
            XCTAssertTrue(plain.changes(to: changed).map(\.name).contains(name), "\(number): \(name)")
        }
    }

    func testWhatDecidesNoneIsNot() throws {
        let plain = try fingerprint()
        XCTAssertEqual(plain, try fingerprint { $0.identifier = "b" })
        XCTAssertEqual(plain, try fingerprint { $0.timeout = 3 })
        XCTAssertEqual(plain, try fingerprint { $0.requiresComplete = true })
        XCTAssertEqual(plain, try fingerprint { $0.base = MemoryFolder() })
    }

    func testTextsCannotBeTakenForOneAnother() throws {
        XCTAssertNotEqual(
            try fingerprint { ($0.emulation.language, $0.emulation.fonts.family) = ("de", "x\",\"y") },
            try fingerprint { ($0.emulation.language, $0.emulation.fonts.family) = ("de", "x") })
        XCTAssertNotEqual(
            try fingerprint { $0.styleSheets = ["a", "b"] }, try fingerprint { $0.styleSheets = ["ab"] })
    }

    /// The same document with a folder would get it.
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
        // Old enough for the digest to be remembered.
        let old = [FileAttributeKey.modificationDate: Date(timeIntervalSinceNow: -3600)]
        try FileManager.default.setAttributes(old, ofItemAtPath: url.path)
        XCTAssertEqual(try onLoop { await base.digest(at: "a.css") }, Digest(of: "p{}"))
        // In place, of the same size, with the same time of modification.
        let file = try FileHandle(forWritingTo: url)
        try file.write(contentsOf: Data("b{}".utf8))
        try file.close()
        try FileManager.default.setAttributes(old, ofItemAtPath: url.path)
        XCTAssertEqual(try onLoop { await base.digest(at: "a.css") }, Digest(of: "b{}"))
        try FileManager.default.removeItem(at: url)
        XCTAssertNil(try onLoop { await base.digest(at: "a.css") })
        XCTAssertNil(try onLoop { await base.digest(at: "../a.css") })
    }

    /// An asset of ten thousand rows is read once: there is nothing left to read the second time here.
    func testAFileThatWasReadIsKnown() throws {
        let file = try XCTUnwrap(FileHandle(forReadingAtPath: Repository.root + "/Package.swift"))
        let digest = FileDigests.shared.digest(of: file)
        XCTAssertEqual(digest, try Digest(ofFile: Repository.root + "/Package.swift"))
        XCTAssertEqual(FileDigests.shared.digest(of: file), digest)
        // One that has only just changed may change again within the same tick of the clock.
        let path = NSTemporaryDirectory() + "offstage-\(UUID().uuidString)"
        try Data("one".utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let young = try XCTUnwrap(FileHandle(forReadingAtPath: path))
        XCTAssertEqual(FileDigests.shared.digest(of: young), Digest(of: "one"))
        XCTAssertEqual(FileDigests.shared.digest(of: young), Digest(of: ""))
    }
}
