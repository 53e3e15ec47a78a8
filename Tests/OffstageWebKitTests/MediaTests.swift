import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// Audio and video are drawn as they look before playback, and no decoder is opened for them.
final class MediaTests: XCTestCase {
    private let poster = flatURI(.green, width: 60, height: 40)

    func testAPosterIsDrawnAtTheVideosSize() throws {
        let image = try draw("<video poster='\(poster)' width=60 height=40 style='display:block'>none</video>")
        XCTAssertEqual(image.count(of: .green), 60 * 40)
        XCTAssertEqual(image.warnings, [])
        // Without a given size, the poster has its own size; in a box of another shape, it is scaled to fit.
        XCTAssertEqual(try draw("<video poster='\(poster)' style='display:block'>").count(of: .green), 60 * 40)
        let wide = try draw("<video poster='\(poster)' width=100 height=40 style='display:block'>")
        XCTAssertEqual(wide.size.height, 40)
        XCTAssertEqual(wide.count(of: .green), 60 * 40)
        XCTAssertEqual(wide.pixel(5, 20), .white)
    }

    func testAPosterOfTheBaseFolder() throws {
        let files = MemoryFolder(["a.png": flatPNG(.green, width: 60, height: 40)])
        let image = try draw("<video poster=a.png src=a.mp4 style='display:block'>", base: files)
        XCTAssertEqual(image.count(of: .green), 60 * 40)
        XCTAssertEqual(image.warnings, [])
        XCTAssertEqual(image.dependencies.map(\.path), ["a.png"])
    }

    func testAPosterThatIsNone() throws {
        let files = MemoryFolder(text: ["broken.png": "no picture"])
        XCTAssertEqual(
            try draw("<p>a<video poster=broken.png>", base: files).warnings,
            [DrawingWarning(.imageBroken, "broken.png")])
        XCTAssertEqual(
            try draw("<p>a<video poster=missing.png>", base: files).warnings,
            [DrawingWarning(.resourceMissing, "missing.png")])
        // The policy's answer arrives after the image is complete, every time, however busy the machine is.
        for number in 0..<20 {
            XCTAssertEqual(
                try draw("<video poster='http://example.com/\(number).png'>").warnings,
                [DrawingWarning(.resourceBlocked, "http://example.com/\(number).png")])
        }
    }

    func testWhatIsNotPlayedIsTold() throws {
        let files = MemoryFolder(text: ["a.mp4": "", "a.mp3": ""])
        func warnings(_ body: String) throws -> [DrawingWarning] { try draw("<p>a" + body, base: files).warnings }
        XCTAssertEqual(try warnings("<video src=a.mp4>"), [DrawingWarning(.mediaNotPlayed, "a.mp4")])
        XCTAssertEqual(
            try warnings("<video><source src=a.mp4><source src=b.webm></video>"),
            [DrawingWarning(.mediaNotPlayed, "a.mp4")])
        XCTAssertEqual(try warnings("<audio controls src=a.mp3>"), [DrawingWarning(.mediaNotPlayed, "a.mp3")])
        XCTAssertEqual(try warnings("<audio src=a.mp3>"), [], "nobody sees it")
        XCTAssertEqual(try warnings("<svg><video src=a.mp4 /></svg>"), [])
        XCTAssertEqual(
            try warnings("<video poster='\(poster)' src='https://example.com/a.mp4'>"),
            [DrawingWarning(.resourceBlocked, "https://example.com/a.mp4")])
    }

    /// An audio element shows its button, track and panel, and causes no error.
    func testAnAudioBoxHasItsControls() throws {
        let image = try draw("<audio controls style='display:block'>", width: 300)
        let panel = image.pixel(150, 8)
        XCTAssertNotEqual(panel, .white)
        // The button's triangle, followed by the panel on its right.
        var bright = 0
        for x in 10..<40 { for y in 8..<24 where image.pixel(x, y).red > 220 { bright += 1 } }
        XCTAssertGreaterThan(bright, 20)
        let files = MemoryFolder(text: ["a.mp3": ""])
        assertSamePixels(image, try draw("<audio controls src=a.mp3 style='display:block'>", width: 300, base: files))
        assertSamePixels(
            image, try draw("<audio controls style='display:block'><source src=a.mp3></audio>", width: 300, base: files)
        )
        for _ in 0..<4 { assertSamePixels(image, try draw("<audio controls style='display:block'>", width: 300)) }
    }

    func testInAShadowTree() throws {
        let files = MemoryFolder(text: ["a.mp3": "", "a.mp4": ""])
        let box = try draw("<audio controls style='display:block'>", width: 300)
        for mode in ["open", "closed"] {
            func tree(_ content: String) -> String {
                "<div><template shadowrootmode=\(mode)>\(content)</template></div>"
            }
            let audio = try draw(
                tree("<audio controls src=a.mp3 style='display:block'></audio>"), width: 300, base: files)
            assertSamePixels(box, audio, mode)
            XCTAssertEqual(audio.warnings, [DrawingWarning(.mediaNotPlayed, "a.mp3")])
            XCTAssertEqual(
                try draw(tree("<p>a<video src=a.mp4></video>"), base: files).warnings,
                [DrawingWarning(.mediaNotPlayed, "a.mp4")])
            let away = "https://example.com/a.mp4"
            XCTAssertEqual(
                try draw(tree("<video poster='\(poster)' src='\(away)'></video>")).warnings,
                [DrawingWarning(.resourceBlocked, away)])
        }
    }

    /// A data URI's document has another origin, and so does a document inside it.
    func testInAFrameOfAnotherOrigin() throws {
        func frame(_ content: String) throws -> String {
            let html = "<!doctype html><style>body{margin:0}iframe{display:block;border:0}</style>\(content)"
            let text = try XCTUnwrap(html.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            return "<iframe width=300 height=100 style='display:block;border:0' src='data:text/html,\(text)'></iframe>"
        }
        let box = "<audio controls style='display:block'></audio>"
        let other = "<audio controls src=x style='display:block'></audio>"
        let plain = try draw("\(box)<div style='height:68px'></div>", width: 300)
        for levels in 1...2 {
            var (empty, named) = (box, other)
            for _ in 0..<levels { (empty, named) = (try frame(empty), try frame(named)) }
            let image = try draw(named, width: 300)
            XCTAssertEqual(image.warnings, [DrawingWarning(.mediaNotPlayed, "x")], "\(levels)")
            assertSamePixels(try draw(empty, width: 300), image, "\(levels)")
            XCTAssertEqual(image.pixel(150, 8), plain.pixel(150, 8), "\(levels)")
        }
        let away = "https://example.com/a.mp4"
        let image = try draw(frame("<p>a<video src='\(away)' controls></video>"), width: 300)
        XCTAssertEqual(image.warnings, [DrawingWarning(.resourceBlocked, away)])
    }

    func testAVideosControlsAreTheSameEachTime() throws {
        let body = "<video controls poster='\(poster)' width=200 height=100></video><video controls></video>"
        let image = try draw(body, width: 600)
        for _ in 0..<3 { assertSamePixels(image, try draw(body, width: 600)) }
    }

    /// GStreamer's decoders are plugins: a process that has opened no decoder has no decoder loaded.
    func testNoDecoderIsOpened() throws {
        let sound = "data:audio/wav;base64,UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="
        let body = """
            <video autoplay src='\(sound)'></video><audio controls autoplay src='\(sound)'></audio><img src='data:video/mp4,x'>
            <object data='\(sound)'></object><embed src='data:video/mp4,x'><iframe src='\(sound)'></iframe>
            """
        try onLoop {
            let before = Processes.children()
            let renderer = Studio.make()
            var snippet = page(body)
            _ = try await renderer.picture(for: snippet)
            snippet.runsScripts = true
            snippet.identifier = "scripts"
            _ = try await renderer.picture(for: snippet)
            let processes = Processes.new(Processes.webProcess, since: before)
            XCTAssertFalse(processes.isEmpty)
            for id in processes {
                let maps = try String(contentsOfFile: "/proc/\(id)/maps", encoding: .utf8)
                // WebKit may load `app` when it finds a media element. This plugin only passes buffers on and reads
                // no format.
                let plugins = maps.split(separator: "\n").filter { $0.contains("/gstreamer-1.0/libgst") }
                XCTAssertEqual(plugins.filter { !$0.hasSuffix("/libgstapp.so") }, [])
            }
            await renderer.finish()
        }
    }
}
