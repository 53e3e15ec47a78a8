import Foundation
import Offstage
import XCTest

@testable import OffstageHTML
@testable import OffstageWebKit

/// The functions for hosts that only have HTML.
final class HostTests: XCTestCase {
    private func image(
        _ html: String, _ intent: Snippet.Intent = .document, _ attributes: [String: String] = [:], width: Int = 400,
        scale: Double = 1
    ) throws -> RenderedPicture {
        try onLoop {
            try await Studio.renderer.picture(
                html: html, identifier: "row", intent: intent, attributes: attributes, width: width, scale: scale)
        }
    }

    func testADocumentIsDrawnAsItIs() throws {
        let drawn = try image("<body style='margin:0;background:red;height:30px'>__FONT__", width: 50, scale: 2)
        XCTAssertEqual(drawn.size, PixelSize(width: 100, height: 60))
        XCTAssertEqual(drawn.pixel(99, 59), .red)
        XCTAssertEqual(drawn.identifier, "row")
    }

    func testAFragmentStandsInThePageThatItsAttributesMake() throws {
        let drawn = try image(
            "<div style='height:10px'></div>", .presentation, ["BACKGROUND_COLOR": "#00f", "WIDTH": "60"], scale: 2)
        XCTAssertEqual(drawn.size, PixelSize(width: 120, height: 20))
        XCTAssertEqual(drawn.pixel(0, 0), .blue)
        XCTAssertEqual(try image("<p>x", .presentation, width: 70).size.width, 70)
    }

    func testAFragmentStandsAlone() throws {
        let drawn = try image("<div style='height:10px;background:red'>", .fragment, width: 30)
        XCTAssertEqual(drawn.size, PixelSize(width: 30, height: 10))
        XCTAssertEqual(drawn.pixel(0, 0), .red)
        // In standards mode, a number without a unit is not a length. The fragment's own style sheet also applies.
        XCTAssertEqual(
            try image("<style>body{margin:3px}</style><p style='margin:0;height:5px'>", .fragment, width: 30).size
                .height, 11)
        XCTAssertEqual(
            try image("<div style='height:40'></div><hr style='margin:0'>", .fragment, width: 30).size.height, 2)
    }

    func testAWholeDocumentIsNoFragment() throws {
        let frame = "<!doctype html><meta charset=\"UTF-8\"><style>body { margin: 0 }</style>"
        for html in [
            "<!DOCTYPE html>x", " \n<!-- <p> -->\t<html>x", "<HTML lang=de>x", "<!--a--><!--b--><!doctype html>",
        ] {
            XCTAssertEqual(
                String(decoding: try Snippet(html, identifier: "a", intent: .fragment).html, as: UTF8.self), html)
        }
        for html in ["<p>x", "<html-card>", "<!-- a", "x<!doctype html>", "<body>", ""] {
            XCTAssertEqual(
                String(decoding: try Snippet(html, identifier: "a", intent: .fragment).html, as: UTF8.self),
                frame + html)
        }
        XCTAssertThrowsError(try Snippet("x", identifier: "a", intent: .fragment, attributes: ["FONT": "serif"]))
    }

    /// A fragment shows the same letters, in standards mode, whatever its charset.
    func testAFragmentOfAnyCharset() throws {
        let text = "<meta charset=windows-1252><p style='height:90;margin:0'>Größe"
        var snippet = Snippet(text, identifier: "a", width: 60)
        snippet.completeDocument()
        let plain = try draw(snippet)
        XCTAssertLessThan(plain.size.height, 90)
        let encodings: [(String.Encoding, [UInt8])] = [
            (.windowsCP1252, []), (.utf8, [0xEF, 0xBB, 0xBF]), (.utf16LittleEndian, [0xFF, 0xFE]),
            (.utf16BigEndian, [0xFE, 0xFF]),
        ]
        for (encoding, mark) in encodings {
            let bytes = Data(mark) + text.data(using: encoding)!
            snippet = try Snippet(document: bytes, name: "a", identifier: "a")
            snippet.geometry = Geometry(width: 60)
            snippet.completeDocument()
            try assertSamePixels(draw(snippet), plain)
            let before = snippet.html
            snippet.completeDocument()
            XCTAssertEqual(snippet.html, before, "\(encoding)")
        }
    }

    func testATemplatesBodyIsTheHTML() throws {
        let template = Template("<body style='margin:0;background:__COLOR__'>__{BODY}__")
        let drawn = try image("<div style='height:10px'></div>", .template(template), ["COLOR": "red"], width: 30)
        XCTAssertEqual(drawn.size, PixelSize(width: 30, height: 10))
        XCTAssertEqual(drawn.pixel(0, 0), .red)
    }

    func testAttributesThatDoNotFit() {
        let template = Template("<p>__{BODY}__ __NAME__</p>")
        let wrong: [(Snippet.Intent, [String: String], TemplateError)] = [
            (.document, ["FONT": "serif"], .unused("FONT")), (.presentation, ["COLOR": "red"], .unused("COLOR")),
            (.template(template), [:], .missing("NAME")),
            (.template(Template("<p>")), [:], .unused("BODY")),
            (.presentation, ["BODY": "x"], .invalid("BODY", takes: "the HTML itself; remove the attribute")),
        ]
        for (intent, attributes, error) in wrong {
            XCTAssertThrowsError(try Snippet("x", identifier: "a", intent: intent, attributes: attributes)) {
                XCTAssertEqual($0 as? TemplateError, error)
            }
        }
    }

    func testTheSharedRendererIsOneUntilItIsFinished() throws {
        // A temporary folder instead of the user's cache.
        let folder = NSTemporaryDirectory() + "offstage-shared-\(UUID().uuidString)"
        let before = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"]
        setenv("XDG_CACHE_HOME", folder, 1)
        defer {
            if let before { setenv("XDG_CACHE_HOME", before, 1) } else { unsetenv("XDG_CACHE_HOME") }
            try? FileManager.default.removeItem(atPath: folder)
        }
        try onLoop {
            let first = Renderer.shared
            XCTAssertTrue(first === Renderer.shared)
            XCTAssertFalse(first.isFinished)
            _ = try await first.picture(for: Snippet("<p>x", identifier: "a"))
            await first.finish()
            XCTAssertTrue(first.isFinished)
            XCTAssertFalse(first === Renderer.shared)
            await Renderer.shared.finish()
        }
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder), ["offstage"])
    }

    /// A real-time thread would take the processor away from the main thread while it reads a large message.
    func testNoThreadIsInRealTime() throws {
        _ = try image("<p>x")
        for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") {
            // Mask out the policy's flags. A thread that has ended in the meantime has no policy.
            let policy = sched_getscheduler(Int32(thread)!) & 0xFF
            XCTAssertFalse([SCHED_RR, SCHED_FIFO].contains(policy), "thread \(thread)")
        }
    }

    func testDocumentsAreSavedAsTheyAreDrawn() throws {
        let folder = NSTemporaryDirectory() + "offstage-documents-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let renderer = try onLoop { Studio.make() }
        try onLoop {
            renderer.engine(WebEngine.self)!.documentFolder = folder + "/a"
            _ = try await renderer.picture(html: "<p>x", identifier: "chat/1", intent: .presentation)
            renderer.engine(WebEngine.self)!.documentFolder = nil
            _ = try await renderer.picture(html: "<p>y", identifier: "chat/2")
        }
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder + "/a"), ["chat%2F1.html"])
        XCTAssertEqual(
            try String(contentsOfFile: folder + "/a/chat%2F1.html", encoding: .utf8),
            try PresentationTemplate(body: "<p>x").document())
        let failure: DrawingError? = try onLoop {
            renderer.engine(WebEngine.self)!.documentFolder = folder + "/a/chat%2F1.html/b"
            do throws(RenderError) {
                _ = try await renderer.picture(for: Snippet("<p>y", identifier: "c"))
                return nil
            } catch {
                return error.reason
            }
        }
        XCTAssertEqual(
            failure, .sourceNotSaved(FileError("write", path: folder + "/a/chat%2F1.html/b/c.html", code: ENOTDIR)))
        try onLoop { await renderer.finish() }
    }

    func testADocumentsNameIsItsIdentifiersAlone() {
        XCTAssertEqual(Snippet.documentName("row-1_b.v2"), "row-1_b.v2.html")
        XCTAssertEqual(Snippet.documentName("../é%"), "%2E.%2F%C3%A9%25.html")
        XCTAssertEqual(Snippet.documentName(""), "%.html")
        let long = String(repeating: "x", count: 300)
        XCTAssertEqual(Snippet.documentName(long).count, 150 + 1 + 32 + 5)
        XCTAssertNotEqual(Snippet.documentName(long), Snippet.documentName(long + "x"))
    }
}
