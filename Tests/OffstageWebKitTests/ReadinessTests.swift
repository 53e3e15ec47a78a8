import Offstage
import OffstageWebKit
import XCTest

/// Style sheets, frames, shadow trees and animations are finished when the picture is taken.
final class ReadinessTests: XCTestCase {
    private func assertFilled(
        _ body: String, style: String = "", files: [String: String] = [:], line: UInt = #line
    ) throws {
        var folder = MemoryFolder(text: files)
        folder.files["red.png"] = flatPNG(.red)
        let image = try draw(body, style: style, width: 10, base: folder)
        XCTAssertEqual(image.warnings, [], line: line)
        XCTAssertEqual(image.size, PixelSize(width: 10, height: 10), line: line)
        XCTAssertEqual(image.count(of: .red), 100, line: line)
    }

    private let sheet = "p { margin: 0; height: 10px; background: red }"

    func testALinkedStyleSheet() throws {
        try assertFilled("<link rel=stylesheet href=a.css><p>", files: ["a.css": sheet])
    }

    func testAnImportedStyleSheet() throws {
        try assertFilled("<style>@import url(a.css);</style><p>", files: ["a.css": sheet])
    }

    /// URLs in the style sheet are relative to it.
    func testAnImageInAnImportedStyleSheetInAFolder() throws {
        try assertFilled(
            "<style>@import 'css/a.css';</style><p>",
            files: ["css/a.css": "@import 'b.css';", "css/b.css": "p{margin:0;height:10px;background:url(../red.png)}"])
    }

    private func frame(_ source: String) -> String {
        "<iframe src=\(source) style='border:0;width:10px;height:10px;display:block'></iframe>"
    }

    func testAFrame() throws {
        try assertFilled(frame("inner.html"), files: ["inner.html": "<body style='margin:0;background:red'>"])
        try assertFilled(frame("\"data:text/html,<body style='background:red'>\""))
    }

    func testAnImageInAFrame() throws {
        try assertFilled(
            frame("inner.html"), files: ["inner.html": "<body style='margin:0'><img src=red.png style='display:block'>"]
        )
    }

    func testABackgroundImageInAFrame() throws {
        try assertFilled(
            frame("inner.html"), files: ["inner.html": "<style>body{margin:0;background:url(red.png)}</style>"])
    }

    func testABackgroundImageInAFrameInAFrame() throws {
        try assertFilled(
            frame("outer.html"),
            files: [
                "outer.html": "<style>body{margin:0}</style>" + frame("inner.html"),
                "inner.html": "<style>body{margin:0;background:url(red.png)}</style>",
            ])
    }

    func testImagesInADeclarativeShadowTree() throws {
        try assertFilled(
            "<div><template shadowrootmode=open><img loading=lazy src=red.png style='display:block'></template></div>")
        try assertFilled(
            """
            <div><template shadowrootmode=open><style>p{margin:0;height:10px;background:url(red.png)}</style><p></p>
            </template></div>
            """)
        try assertFilled(
            "<div><template shadowrootmode=closed><img decoding=async src=red.png style='display:block'></template></div>"
        )
    }

    func testAnAnimationStandsAtItsEnd() throws {
        try assertFilled(
            "<p>",
            style: """
                @keyframes a { from { background: blue } to { background: red } }
                p { margin: 0; height: 10px; animation: a 60s forwards }
                """)
    }

    /// Without `forwards`, an animation leaves no trace after its end.
    func testAnAnimationThatGoesBackIsGone() throws {
        try assertFilled(
            "<p>",
            style: """
                @keyframes a { from { background: blue } to { background: green } }
                p { margin: 0; height: 10px; background: red; animation: a 60s }
                """)
    }

    func testATransitionStandsAtItsEnd() throws {
        try assertFilled(
            "<p>",
            style: """
                p { margin: 0; height: 10px; background: red; transition: background 60s }
                @starting-style { p { background: blue } }
                """)
    }

    func testAnEndlessAnimationIsTheSameInEveryRun() throws {
        let style = """
            @keyframes a { from { background: red } to { background: blue } }
            p { margin: 0; height: 10px; animation: a 0.7s infinite alternate }
            """
        let first = try draw("<p>", style: style)
        for _ in 0..<10 { assertSamePixels(try draw("<p>", style: style), first) }
    }

    func testAnSVGAnimationIsTheSameInEveryRun() throws {
        let svg = """
            <svg width=100 height=10 style='display:block'><rect width=10 height=10 fill=red>
            <animate attributeName=x from=0 to=90 dur=0.3s repeatCount=indefinite /></rect></svg>
            """
        let first = try draw(svg)
        XCTAssertEqual(first.count(of: .red), 100)
        for _ in 0..<10 { assertSamePixels(try draw(svg), first) }
    }

    /// Pages that support `prefers-reduced-motion` show their reduced form.
    func testReducedMotionIsAskedFor() throws {
        try assertFilled(
            "<p>", style: "p{margin:0;height:10px} @media (prefers-reduced-motion: reduce) { p { background: red } }")
    }

    /// An overlay scroll bar that fades out would make the picture different in each run.
    func testAScrollingBoxIsTheSameInEveryRun() throws {
        let box = "<div style='height:40px;overflow:scroll'><div style='height:900px;width:900px'>text</div></div>"
        let first = try draw(box)
        for _ in 0..<20 { assertSamePixels(try draw(box), first) }
    }

    func testWhatWouldWaitForAScrollIsThere() throws {
        let image = try draw(
            "<div></div><section><p></p></section>",
            style: "div{height:3000px} section{content-visibility:auto} p{margin:0;height:20px;background:red}")
        XCTAssertEqual(image.size.height, 3020)
        XCTAssertEqual(image.pixel(5, 3010), .red)
    }
}
