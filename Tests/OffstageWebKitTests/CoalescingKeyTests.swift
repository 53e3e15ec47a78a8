import OffstageWebKit
import XCTest

/// Equal snippets share a drawing if their files are certainly the same.
final class CoalescingKeyTests: XCTestCase {
    func testFilesOfAFolderCanBeCompared() {
        let base = BaseFolder("/nowhere")
        XCTAssertNotNil(page("a").coalescingKey)
        XCTAssertNotNil(page("a", base: base).coalescingKey)
        XCTAssertEqual(page("a", base: base).coalescingKey, page("a", base: base).coalescingKey)
        XCTAssertNotEqual(page("a", base: base).coalescingKey, page("a").coalescingKey)
    }

    /// Snippets without a key each have their own drawing (see `OffstageTests.CoalescingTests`).
    func testFilesOfACustomProviderCannot() {
        XCTAssertNil(page("a", base: MemoryFolder()).coalescingKey)
    }
}
