import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// `@media print` and `@media screen`, in every notation.
final class MediaTypeTests: XCTestCase {
    private func drawn(
        _ body: String, style: String = "", files: [String: String] = [:], as mediaType: Emulation.MediaType = .print
    ) throws -> RenderedPicture {
        var snippet = page(body, style: "div{height:10px}\(style)", base: MemoryFolder(text: files))
        snippet.emulation.mediaType = mediaType
        return try draw(snippet)
    }

    /// Red in print, green on a screen.
    private func check(
        _ body: String, style: String = "", files: [String: String] = [:], file: StaticString = #filePath,
        line: UInt = #line
    ) throws {
        XCTAssertEqual(
            try drawn(body, style: style, files: files).pixel(5, 5), .red, "print", file: file, line: line)
        XCTAssertEqual(
            try drawn(body, style: style, files: files, as: .screen).pixel(5, 5), .green, "screen", file: file,
            line: line)
    }

    func testRules() throws {
        try check("<div>", style: "div{background:green} @media print{div{background:red}}")
        try check("<div>", style: "div{background:red} @media screen{div{background:green}}")
        try check("<div>", style: "div{background:red} @media not print{div{background:green}}")
        try check("<div>", style: "div{background:green} @media not screen{div{background:red}}")
        try check("<div>", style: "div{background:green} @media only print and (min-width:50px){div{background:red}}")
        try check(
            "<div>", style: "div{background:red} @media screen and (min-width:50px),speech{div{background:green}}")
    }

    func testAQueryAboutTheWidthHoldsInPrintToo() throws {
        let style = "div{background:red} @media print and (min-width:500px){div{background:green}}"
        XCTAssertEqual(try drawn("<div>", style: style).pixel(5, 5), .red)
    }

    func testNestedRules() throws {
        try check("<div>", style: "div{background:green} @supports (color:red){@media print{div{background:red}}}")
        try check("<div>", style: "@layer a{div{background:green} @media print{div{background:red}}}")
    }

    func testElements() throws {
        try check("<style>div{background:green}</style><style media=print>div{background:red}</style><div>")
        let files = ["print.css": "div{background:red}", "screen.css": "div{background:green}"]
        try check(
            "<link rel=stylesheet media=screen href=screen.css><link rel=stylesheet media=print href=print.css><div>",
            files: files)
    }

    func testImports() throws {
        let files = [
            "all.css": "@import 'print.css' print; @import 'deep.css'; ", "print.css": "div{background:red !important}",
            "deep.css": "@media screen{div{background:green}}",
        ]
        try check("<link rel=stylesheet href=all.css><div>", files: files)
    }

    /// The drawing waits for resources that only `@media print` uses.
    func testPicturesOfPrintRules() throws {
        let svg = { (color: String) in
            "<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'><rect width='10' height='10' fill='\(color)'/></svg>"
        }
        let files = [
            "red.svg": svg("red"), "green.svg": svg("green"), "print.css": "@media print{div{background:url(red.svg)}}",
        ]
        try check(
            "<div>", style: "div{background:url(green.svg)} @media print{div{background:url(red.svg)}}", files: files)
        try check(
            "<link rel=stylesheet href=print.css><div>", style: "div{background:url(green.svg)}", files: files)
        try check(
            "<picture><source media=print srcset=red.svg><img src=green.svg style='display:block'></picture>",
            files: files)
    }

    func testAddedStyleSheets() throws {
        var snippet = page("<div>", style: "div{height:10px}")
        snippet.emulation.mediaType = .print
        snippet.styleSheets = ["@media print{div{background:red}}"]
        XCTAssertEqual(try draw(snippet).pixel(5, 5), .red)
    }
}
