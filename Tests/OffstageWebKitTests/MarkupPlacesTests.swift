import Foundation
import Offstage
import XCTest

@testable import OffstageHTML
@testable import OffstageWebKit

/// Text that only looks like a data URI stays unchanged; data URIs in attributes, style sheets and scripts are found.
final class MarkupPlacesTests: XCTestCase {
    private static let moving = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><animate dur='2s'/></svg>"
    private static let gif =
        "data:image/gif;base64,R0lGODlhAQABAPAAAP8AAAAA/yH/C05FVFNDQVBFMi4wAwEAAAAh+QQAAgAAACwAAAAAAQABAAACAkQBACH5BAACAAAALAAAAAABAAEAAAICTAEAOw=="

    private func isChanged(_ text: String, _ kind: MarkupKind) throws -> Bool {
        let data = Data(text.utf8)
        let stopped = try AnimatedSVG.stopped(inText: AnimatedImage.stopped(inText: data, of: kind), of: kind).text
        return stopped != data
    }

    func testShownTextStaysAsItIs() throws {
        for uri in [Self.moving.replacing("<", with: "%3C").replacing(">", with: "%3E"), Self.gif] {
            for text in [
                "<code>\(uri)</code>", "<p>url(\"\(uri)\")</p>", "<p>a < b \(uri)", "<p>a <= b url('\(uri)')",
                "<textarea><img src=\"\(uri)\"></textarea>", "<title>'\(uri)'</title>", "<xmp><b x=\"\(uri)\"></xmp>",
                "<!-- <img src=\"\(uri)\"> -->", "<p title='>'>\(uri)", "<p title=a/>\(uri)",
                "<style>a{}</style>\(uri)", "<STYLE></STYLE >\(uri)", "<script></script>\(uri)",
                "<p title=\"a>b\" class=x>\(uri)", "<p \"x>\(uri)", "<p x\"=y>\(uri)", "<svg><style/>\(uri)</svg>",
                "<svg/>\(uri)",
            ] {
                XCTAssertFalse(try isChanged(text, .html), text)
            }
            for text in [
                "<svg><text>\(uri)</text></svg>", "<svg><text><![CDATA[<a b=\"\(uri)\">]]></text></svg>",
                "<svg><style/>\(uri)</svg>", "<?xml version='1.0'?><p>\(uri)</p>",
            ] {
                XCTAssertFalse(try isChanged(text, .xml), text)
            }
        }
    }

    func testAddressesAreFoundWhereTheyMayBe() throws {
        // Includes URIs that end at a space.
        let code = Self.moving.replacing("<", with: "%3C").replacing(">", with: "%3E").replacing("'", with: "%27")
            .replacing(" ", with: "%20")
        for uri in [code, Self.gif] {
            for text in [
                "<img src=\"\(uri)\">", "<img src='\(uri)'>", "<img src=\(uri)>", "<img alt='>' src=\"\(uri)\">",
                "<img alt=\"it's\" src=\"\(uri)\">", "<img alt=it's src=\"\(uri)\">", "<img src = \"\(uri)\">",
                "<img alt src=\"\(uri)\">", "<img =a src=\"\(uri)\">", "<img/src=\"\(uri)\">",
                "<p style=\"background:url(\(uri))\">", "<p style='background:url(&quot;\(uri)&quot;)'>",
                "<style>p{background:url(\(uri))}</style>", "<style>/* < */ p{background:url(\"\(uri)\")}",
                "<style><!-- p{background:url(\(uri))}", "<script>a.src = \"\(uri)\"</script>",
                "<script>if (a < b) c = '\(uri)'</script>", "<!-- a --><img src=\"\(uri)\">",
                "<!--><img src=\"\(uri)\">", "<!---><img src=\"\(uri)\">", "<!-- a --!><img src=\"\(uri)\">",
                "<!doctype html><img src=\"\(uri)\">", "</><img src=\"\(uri)\">", "<?a><img src=\"\(uri)\">",
                "<textarea></textarea><img src=\"\(uri)\">", "<title></titles></title><img src=\"\(uri)\">",
                "<titles><img src=\"\(uri)\">", "<svg><title/><image href=\"\(uri)\"/></svg>",
                "<svg><title>a</title></svg><img src=\"\(uri)\">", "<svg><style/></svg><img src=\"\(uri)\">",
                "<svg/><title>a</title><img src=\"\(uri)\">", "<![CDATA[ <img src=\"\(uri)\">",
                "a < b <img src=\"\(uri)\">",
            ] {
                XCTAssertTrue(try isChanged(text, .html), text)
            }
            for text in [
                "<svg><image href=\"\(uri)\"/></svg>", "<svg><style><![CDATA[p{fill:url(\(uri))}]]></style></svg>",
                "<svg><title>a<b c='\(uri)'/></title></svg>", "<svg><script/><image href=\"\(uri)\"/></svg>",
                "<?xml-stylesheet href=\"data:text/css,p{background:url(\(uri.replacing("%", with: "%25")))}\"?><svg/>",
            ] {
                XCTAssertTrue(try isChanged(text, .xml), text)
            }
            XCTAssertTrue(try isChanged("p { background: url(\(uri)) }", .sheet))
        }
    }

    /// The document's text appears unchanged in the picture: it contains `2s`.
    func testTheDocumentsTextIsShown() throws {
        let uri = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3Canimate dur='2s'/%3E%3C/svg%3E"
        func picture(_ text: String) throws -> RenderedPicture { try draw("<code>\(text)</code>", width: 700) }
        let shown = try picture("url(\"\(uri)\")")
        let written = try picture("url(\"&#100;ata:\(uri.dropFirst(5))\")")
        assertSamePixels(shown, written, "data: written with a reference")
    }

    /// Texts that could make a markup scanner start over: each byte is read once, however often a location is looked
    /// up.
    func testEachByteIsReadOnce() {
        let words = [
            "data:image/svg+xml,", "<", ">", "<p title='", "<p title=\"", "<!--", "-->", "<style>", "</style>",
            "<textarea>", "</", "</textarea", "<![CDATA[", "]]>", "<?", "<svg>", "<svg/>", "<a =", "a=b ", "'\"", "</s",
            "<é",
        ]
        for word in words {
            for kind in [MarkupKind.html, .xml] {
                for before in ["", "<style>", "<!--", "<p a='", "<textarea>"] {
                    for size in [200, 400, 800] {
                        let text = Array((before + String(repeating: word + "data:", count: size)).utf8)
                        var places = MarkupPlaces(kind)
                        for index in stride(from: 0, to: text.count, by: 5) { _ = places.place(of: index, in: text) }
                        XCTAssertLessThan(places.steps, text.count + 64, "\(before)\(word)…")
                    }
                }
            }
        }
    }
}
