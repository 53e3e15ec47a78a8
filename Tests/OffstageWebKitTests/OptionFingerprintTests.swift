import Foundation
import Offstage
import OffstageRequests
import OffstageWebKit
import XCTest

/// Every option of a document is either part of the fingerprint or known not to change the picture.
final class OptionFingerprintTests: XCTestCase {
    /// A value other than the default, and the other options that it needs.
    private static let samples: [String: (value: [String], with: [String: [String]])] = [
        "fragment": ([], [:]), "type": (["xhtml"], [:]), "charset": (["windows-1251"], [:]), "width": (["300"], [:]),
        "fit": (["inside"], ["width": ["50"], "height": ["50"]]), "max-width": (["300"], ["width": ["fit"]]),
        "height": (["50"], [:]), "min-height": (["50"], [:]),
        "max-height": (["50"], [:]), "viewport-height": (["50"], [:]), "scale": (["2"], [:]), "selector": (["p"], [:]),
        "each": ([], ["selector": ["p"]]), "outset": (["4"], ["selector": ["p"]]), "trim": ([], [:]),
        "padding": (["4"], [:]), "areas": ([], [:]),
        "background": (["red"], [:]), "color-scheme": (["dark"], [:]), "media": (["print"], [:]),
        "motion": (["no-preference"], [:]), "contrast": (["more"], [:]), "language": (["de"], [:]),
        "time-zone": (["Europe/Vienna"], [:]), "font-family": (["Noto Serif"], [:]), "font-size": (["20"], [:]),
        "min-font-size": (["20"], [:]), "css": (["STYLE"], [:]), "javascript": ([], [:]), "strict-fonts": ([], [:]),
    ]

    /// The files of a folder are dependencies. A deadline and strict mode decide only whether a picture exists.
    private static let others: Set = ["base", "timeout", "strict"]

    func testEveryOption() throws {
        let sheet = NSTemporaryDirectory() + "option-\(getpid()).css"
        try "p { color: red }".write(toFile: sheet, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: sheet) }
        let engine = MainActor.assumeIsolated { WebEngine() }
        func fingerprint(_ options: [String: [String]]) throws -> Fingerprint {
            let document = SourceDocument(.bytes(Data("<p>é".utf8)), of: .html, name: "test")
            let request = try Settings(ParsedOptions(values: options)).request(for: document, identifier: "a")
            return try XCTUnwrap(engine.fingerprint(of: XCTUnwrap(request.innermost as? Snippet)))
        }
        for name in HTMLOptions.table.map(\.option.name) where !Self.others.contains(name) {
            let sample = try XCTUnwrap(
                Self.samples[name], "give a sample of --\(name), and put it into the fingerprint")
            let value = sample.value == ["STYLE"] ? [sheet] : sample.value
            XCTAssertNotEqual(
                try fingerprint(sample.with), try fingerprint(sample.with.merging([name: value]) { $1 }), "--\(name)")
        }
    }
}
