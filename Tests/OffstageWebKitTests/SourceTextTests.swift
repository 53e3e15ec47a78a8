import Foundation
import XCTest

@testable import OffstageHTML
@testable import OffstageWebKit

/// The scanner for a document's bytes.
final class SourceTextTests: XCTestCase {
    /// Its result decides whether a document is written into another document's page. A wrong guess costs time but
    /// never affects a picture.
    func testFilesAreFound() {
        for html in [
            "<img src=a.png>", "<img SRC='a.png'>", "<p style='background:url(a.png)'>",
            "<style>@font-face{src:URL('a')}",
            "<img srcset=x src=\"d.png\">", "<svg><image href=x /></svg><img src=/data:>",
        ] {
            XCTAssert(text(html).namesFiles, html)
        }
        for html in [
            "<p>src url", "<img src='data:image/png;base64,AAAA'>", "<rect fill='url(#g)'>",
            "<rect fill=\"url('#g')\">",
            "<style>p{background:url(DATA:image/png;base64,AAAA)}", "<p>url(", "src=", "<img src='",
        ] {
            XCTAssertFalse(text(html).namesFiles, html)
        }
    }

    private func text(_ html: String) -> SourceText { SourceText(Data(html.utf8), charset: "UTF-8") }
}
