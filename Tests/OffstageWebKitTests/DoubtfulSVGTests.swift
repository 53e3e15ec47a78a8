import Foundation
import XCTest

@testable import OffstageHTML
@testable import OffstageWebKit

/// SVG images that WebKit would print only in part are recognised by their bytes.
final class DoubtfulSVGTests: XCTestCase {
    func testImagesThatArePrintedOnlyInPart() {
        for text in [
            "<svg><mask id='m'/></svg>", "<svg:mask>", "<s_v-g:MASK>", "<clipPath><text>a</text></clipPath>",
            "<clipPath><rect/><rect/></clipPath>", "<clipPath clip-path='url(#a)'><rect/></clipPath>",
            "<x:clipPath><x:use href='#a'/></x:clipPath>", "<clipPath><rect/>",
            "<g style='mix-blend-mode:plus-lighter'/>", "<linearGradient spreadMethod='repeat'>",
            "<radialGradient spreadMethod = \"reflect\">",
            "<image href='data:image/svg+xml,…'/>", "<clipPath><rect/></clipPath><clipPath><rect/><path/></clipPath>",
        ] { XCTAssertTrue(DoubtfulSVG.isDoubtful(Data(text.utf8)), text) }
    }

    func testOtherImages() {
        for text in [
            "", "<", "<svg><rect/></svg>", "<clipPath id='a'><rect/></clipPath>",
            "<x:clipPath><x:path d=''/></x:clipPath>",
            "mask", "<text>a mask</text>", "<a:", "<linearGradient spreadMethod='pad'>",
            "<image href='data:image/png;base64,…'/>",
        ] { XCTAssertFalse(DoubtfulSVG.isDoubtful(Data(text.utf8)), text) }
    }
}
