import Foundation
import Offstage
import XCTest

@testable import OffstageHTML
@testable import OffstageWebKit

/// The defaults in the guides. Other tests set their own limits.
final class DefaultLimitTests: XCTestCase {
    func testADocument() {
        let limits = SnippetLimits()
        XCTAssertEqual(limits.grace, 5)
        XCTAssertEqual(limits.inputBytes, 67_108_864)
        XCTAssertEqual(limits.elements, 500_000)
        XCTAssertEqual(limits.resources, 1000)
        XCTAssertEqual(limits.resourceBytes, 268_435_456)
        XCTAssertEqual(limits.imagePixels, 500_000_000)
        XCTAssertEqual(limits.pictureSide, 1_000_000)
        XCTAssertEqual(limits.picturePixels, 1_073_741_824)
        XCTAssertEqual(limits.memory, Int(min(4_294_967_296, ProcessInfo.processInfo.physicalMemory / 2)))
        let snippet = Snippet("", identifier: "a", width: 400)
        XCTAssertEqual(snippet.timeout, 10)
        XCTAssertEqual(snippet.limits, limits)
    }

    func testAProcessThatIsReplaced() {
        XCTAssertEqual(Recycling().drawings, 2000)
        XCTAssertEqual(Recycling().memory, 536_870_912)
    }

    func testTheCache() {
        XCTAssertEqual(StoreLimits().bytes, 2_147_483_648)
        XCTAssertEqual(StoreLimits().age, 90 * 24 * 3600)
        XCTAssertEqual(MemoryCacheLimits().bytes, Int(min(ProcessInfo.processInfo.physicalMemory / 10, 536_870_912)))
    }
}
