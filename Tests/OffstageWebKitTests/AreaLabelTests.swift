import Offstage
import XCTest

@testable import OffstageHTML
@testable import OffstageWebKit

/// The texts of links, which screen readers read out.
final class AreaLabelTests: XCTestCase {
    private func snippet(_ body: String) -> Snippet {
        var snippet = page(body, width: 200)
        snippet.keepsAreas = true
        return snippet
    }

    func testLinksHaveLabels() throws {
        let image = "<img src='\(flatURI(.red))'"
        let (shape, long) = (
            "<svg width=9 height=9><rect width=9 height=9 /></svg>", String(repeating: "wörd ", count: 100)
        )
        for (link, label) in [
            ("<a href=x>two\n  <b>words</b></a>", "two words"), ("<a href=x aria-label='Close  it'>×</a>", "Close it"),
            ("<a href=x>\(image) alt='A picture'> of it</a>", "A picture of it"),
            ("<a href=x title=Title>\(shape)</a>", "Title"),
            ("<a href=x title=' '>\(shape)</a>", nil), ("<a href=x title=Title>Text</a>", "Text"),
            ("<a href=x>a<span hidden>b</span><span style='visibility:hidden'>c</span></a>", "a"),
            ("<svg width=90 height=20><a href=x><text y=15>drawn</text></a></svg>", "drawn"),
            ("<a href=x>\(long)</a>", String(repeating: "wörd ", count: 40).trimmingCharacters(in: .whitespaces)),
            ("<a href=x aria-hidden=true title=Title>hidden</a>", "Title"),
            (
                "\(image) width=50 height=20 usemap=#m><map name=m><area href=x coords=0,0,9,9 alt='A corner'></map>",
                "A corner"
            ),
        ] {
            let labels = try draw(snippet("\(link) and more")).areas.filter { $0.target == "x" }.map(\.label)
            XCTAssertFalse(labels.isEmpty, link)
            XCTAssertEqual(Set(labels), [label], link)
        }
        XCTAssertEqual(try draw(snippet("<p id=a>words")).areas.map(\.label), [nil])
    }

    /// Each link contains all the links after it.
    func testLabelsOfManyLinksEnd() throws {
        let nested =
            String(repeating: "<svg><a href=x>", count: 200) + String(repeating: "<text y=9>t</text>", count: 2_000)
        XCTAssertLessThanOrEqual(try draw(snippet(nested)).areas.count, 1000)
    }
}
