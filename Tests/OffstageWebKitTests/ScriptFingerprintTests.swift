import Foundation
import XCTest

@testable import OffstageHTML
@testable import OffstageWebKit

/// A changed script must change the fingerprints, because pictures that an older script helped to draw are outdated.
final class ScriptFingerprintTests: XCTestCase {
    func testEveryScriptIsInTheFingerprint() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/HTML/OffstageHTML")
        let known = Set(Machine.scripts.map { Data($0) })
        // Only requests with areas or vector pictures include these scripts in their fingerprints.
        let others: Set = ["content.js", "print.js", "doubt.js", "pixels.js"]
        let files = try XCTUnwrap(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in files where file.pathExtension == "js" {
            count += 1
            if others.contains(file.lastPathComponent) { continue }
            XCTAssert(known.contains(try Data(contentsOf: file)), "\(file.lastPathComponent) is in no fingerprint")
        }
        XCTAssertEqual(count, Machine.scripts.count + others.count)
    }
}
