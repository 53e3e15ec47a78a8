import Foundation
import Offstage
import XCTest

@testable import OffstageHTML
@testable import OffstageWebKit

/// Animations in data URIs are stopped; everything else in them keeps its meaning.
final class DataURITests: XCTestCase {
    /// - Parameter element: `set`, which is an animation, or another name of three letters, which is not.
    private static func svg(_ element: String, text: String) -> String {
        "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='20'><rect width='9' height='20' fill='red'>"
            + "<\(element) attributeName='fill' to='blue' begin='0.01s' end='0.02s'/></rect>"
            + "<text x='12' y='15' font-size='14'>\(text)</text></svg>"
    }

    /// Like `addingPercentEncoding`, for everything except letters and digits.
    private static func percent(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    private static func escaped(_ text: String, _ pairs: KeyValuePairs<String, String>) -> String {
        pairs.reduce(text) { $0.replacing($1.key, with: $1.value) }
    }

    /// Documents that show an image, keyed by how its URI is written.
    private static func documents(_ name: String) -> [(way: String, html: String)] {
        let image = svg(name, text: "a &amp; b")
        let uri = "data:image/svg+xml"
        let base64 = Data(image.utf8).base64EncodedString()
        let quoted = escaped(image, ["&": "&amp;", "\"": "&quot;"])
        func style(_ value: String) -> String {
            "<style>p{margin:0;width:90px;height:20px;background:url(\(value))}</style><p>"
        }
        return [
            ("&amp;", "<img src=\"\(uri),\(quoted)\">"),
            ("&#38;", "<img src=\"\(uri),\(escaped(image, ["&": "&#38;"]))\">"),
            ("&#x26;", "<img src=\"\(uri),\(escaped(image, ["&": "&#x26;"]))\">"),
            ("%26", "<img src=\"\(uri),\(escaped(image, ["&": "%26"]))\">"),
            ("&#37;26", "<img src=\"\(uri),\(escaped(image, ["&": "&#37;26"]))\">"),
            ("&lt;", "<img src=\"\(uri),\(escaped(quoted, ["<": "&lt;", ">": "&gt;", "'": "&#39;"]))\">"),
            ("no quotes", "<img src=\(uri),\(percent(image))>"),
            ("a style's URI in quotes", style("\"\(uri),\(image)\"")),
            ("with %26", style("\"\(uri),\(escaped(image, ["&": "%26"]))\"")),
            ("with escaped quotes", style("\"\(uri),\(escaped(image, ["'": "\\\""]))\"")),
            ("without quotes", style("\(uri),\(percent(image))")),
            ("without quotes but with spaces, which is invalid", style("\(uri),\(image)")),
            ("an attribute's style", "<p style=\"width:90px;height:20px;background:url('\(uri),\(percent(image))')\">"),
            ("a fragment", "<img src=\"\(uri),\(image)#part\">"),
            ("a fragment of base64", "<img src=\"\(uri);base64,\(Data(image.utf8).base64EncodedString())#part\">"),
            ("base64 with percent signs", "<img src=\"\(uri);base64,\(percent(base64))\">"),
            ("base64 with a reference", "<img src=\"\(uri);base64,\(base64.replacing("P", with: "&#80;"))\">"),
            ("base64 in lines", "<img src=\"\(uri);base64,\(base64.replacing("ZT0", with: "ZT0\n    "))\">"),
            ("base64 with digits", style("\"\(uri);base64,\(base64.replacing("P", with: "\\50 "))\"")),
            ("base64 of a candidate", "<img srcset=\"\(uri);base64,\(base64) 1x, b.png 2x\">"),
            (
                "base64 after a reference as a quote",
                "<p style=\"width:90px;height:20px;background:url(&quot;\(uri);base64,\(base64)&quot;)\">"
            ),
            (
                "base64 in a style sheet",
                "<link rel=stylesheet href=\"data:text/css,p{width:90px;height:20px;background:url(%22\(uri);base64,\(percent(percent(base64)))%22)}\"><p>."
            ),
            ("a number sign within", "<img src=\"\(uri),\(image.replacing("red", with: "#f00"))\" width=90>"),
            ("candidates", "<img srcset=\"\(uri),\(percent(image)) 1x, b.png 2x\">"),
            ("a candidate and a comma", "<img srcset=\"\(uri),\(percent(image)), b.png 2x\">"),
            ("digits", style("\"\(uri),\(escaped(image, ["<": "\\3c ", "'": "\\000027 "]))\"")),
            ("digits for percent signs", style("\"\(uri),\(percent(image).replacing("%", with: "\\25 "))\"")),
            ("an escaped line break", style("\"\(uri),\(image.replacing("><", with: ">\\\n<"))\"")),
            (
                "a reference as a quote",
                "<p style=\"width:90px;height:20px;background:url(&quot;\(uri),\(escaped(quoted, ["'": "&apos;"]))&quot;)\">"
            ),
            ("lines", "<img src=\"\(uri),\(image.replacing("&amp;", with: "\n").replacing("/>", with: "\n/>"))\">"),
            (
                "a style sheet",
                "<link rel=stylesheet href=\"data:text/css,p{background:url(%22\(uri),\(percent(percent(image)))%22)}\"><p>."
            ),
            (
                "a style sheet with &",
                "<link rel=stylesheet href=\"data:text/css,p{width:90px;height:20px;background:url('\(uri),\(quoted.replacing("'", with: "%22"))')}\"><p>."
            ),
        ]
    }

    func testTheRestOfAnImageStaysAsItIs() throws {
        for (still, moving) in zip(Self.documents("let"), Self.documents("set")) {
            XCTAssertEqual(still.way, moving.way)
            assertSamePixels(try draw(still.html), try draw(moving.html), moving.way)
        }
    }

    func testAnAnimationIsStoppedHoweverItIsWritten() throws {
        // The URI ends at the number sign.
        for (way, html) in Self.documents("set") where way != "a number sign within" {
            let stopped = try AnimatedSVG.stopped(inText: Data(html.utf8)).text
            XCTAssertNotEqual(stopped, Data(html.utf8), way)
        }
    }

    func testABytesCharsetDoesNotMatter() throws {
        let html = Data("<img src=\"data:image/svg+xml,\(Self.svg("set", text: "é"))\">".utf8)
        let latin = html.split(separator: UInt8(0xC3)).reduce(Data()) { $0 + $1 }
        let stopped = try AnimatedSVG.stopped(inText: latin).text
        XCTAssertNotEqual(stopped, latin)
        XCTAssertEqual(stopped.count { $0 >= 0x80 }, 1)
    }

    /// One base64 character is percent-encoded.
    func testBase64InPieces() throws {
        let gif = Array(
            "R0lGODlhAQABAPAAAP8AAAAA/yH/C05FVFNDQVBFMi4wAwEAAAAh+QQAAgAAACwAAAAAAQABAAACAkQBACH5BAACAAAALAAAAAABAAEAAAICTAEAOw=="
        )
        func stopped(_ code: String) -> String {
            let text = Data("<img src='data:image/gif;base64,\(code)'>".utf8)
            return String(decoding: AnimatedImage.stopped(inText: text).dropFirst(32).dropLast(2), as: UTF8.self)
        }
        let whole = stopped(String(gif))
        XCTAssertNotEqual(whole, String(gif))
        for index in gif.indices {
            let sign = try XCTUnwrap(String(gif[index]).addingPercentEncoding(withAllowedCharacters: CharacterSet()))
            let result = stopped(String(gif[..<index]) + sign + String(gif[(index + 1)...])).removingPercentEncoding
            XCTAssertEqual(result, whole, "\(index)")
        }
    }
}
