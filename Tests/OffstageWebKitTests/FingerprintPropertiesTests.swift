import Foundation
import Offstage
import XCTest

@testable import OffstageHTML
@testable import OffstageWebKit

/// Every property of a snippet either changes the fingerprint or is listed here with a reason why it need not. The
/// test fails for a new property in neither list: if it were missing from the fingerprint, the cache would return
/// outdated pictures.
final class FingerprintPropertiesTests: XCTestCase {
    private typealias Change = (inout Snippet) -> Void

    /// For each property path: the name of its component in the fingerprint, and values that `Snippet.plain` does not
    /// have.
    private let changing: [String: (part: String, changes: [Change])] = [
        "html": ("html", [{ $0.html = Data("<p>y</p>".utf8) }]),
        "charset": ("charset", [{ $0.charset = "latin1" }]),
        "charsetOrigin": ("charset", [{ $0.charsetOrigin = .fallback }]),
        "type": ("type", [{ $0.type = .svg }, { $0.type = .xhtml }]),
        "geometry.width": ("geometry", [{ $0.geometry.width = 401 }]),
        "geometry.shrinksToFit": ("geometry", [{ $0.geometry.shrinksToFit = true }]),
        "geometry.height": ("geometry", [{ $0.geometry.height = .fixed(100) }, { $0.geometry.height = .fixed(99) }]),
        "geometry.minimumHeight": ("geometry", [{ $0.geometry.minimumHeight = 100 }]),
        "geometry.maximumHeight": ("geometry", [{ $0.geometry.maximumHeight = 100 }]),
        "geometry.viewportHeight": ("geometry", [{ $0.geometry.viewportHeight = 100 }]),
        "geometry.scale": ("geometry", [{ $0.geometry.scale = 1.5 }]),
        "medium": ("medium", [{ $0 = $0.drawn(into: .vector(nil)) }]),
        "selector": ("selector", [{ $0.selector = .init("p") }, { $0.selector = .init("p", isEach: true) }]),
        "margins.isTrimmed": ("margins", [{ $0.margins.isTrimmed = true }]),
        "margins.padding": ("margins", [{ $0.margins.padding = 1 }]),
        "margins.color": ("margins", [{ $0.margins.color = .white }]),
        "background": ("background", [{ $0.background = .white }, { $0.background = .transparent }]),
        "emulation.colorScheme": ("emulation", [{ $0.emulation.colorScheme = .dark }]),
        "emulation.mediaType": ("emulation", [{ $0.emulation.mediaType = .print }]),
        "emulation.motion": ("emulation", [{ $0.emulation.motion = .noPreference }]),
        "emulation.contrast": ("emulation", [{ $0.emulation.contrast = .more }]),
        "emulation.language": ("emulation", [{ $0.emulation.language = "de" }]),
        "emulation.timeZone": ("emulation", [{ $0.emulation.timeZone = "Asia/Tokyo" }]),
        "emulation.fonts.family": ("emulation", [{ $0.emulation.fonts.family = "A" }]),
        "emulation.fonts.size": ("emulation", [{ $0.emulation.fonts.size = 17 }]),
        "emulation.fonts.minimumSize": ("emulation", [{ $0.emulation.fonts.minimumSize = 9 }]),
        "styleSheets": ("style sheet", [{ $0.styleSheets = ["p{}"] }, { $0.styleSheets = ["p{}", "p{}"] }]),
        "runsScripts": ("scripts", [{ $0.runsScripts = true }]),
        "requiresNamedFonts": ("strict fonts", [{ $0.requiresNamedFonts = true }]),
        "keepsAreas": ("areas", [{ $0.keepsAreas = true }]),
    ]

    /// For each property path: why its value cannot make a cached picture wrong, and another value.
    private let unchanging: [String: (reason: String, change: Change)] = [
        "identifier": ("the name of a picture, not a part of it", { $0.identifier = "b" }),
        "extra": ("the caller's own note", { $0.extra = "x" }),
        "base": ("the files that a drawing used are its dependencies, by their digests", { $0.base = MemoryFolder() }),
        "timeout": ("a picture that lacks something because of it is not stored", { $0.timeout = 3 }),
        "requiresComplete": ("a picture with warnings is refused when it is read, too", { $0.requiresComplete = true }),
        "geometry.formatLimit": (
            "a picture over the limit is an error", { $0.geometry.formatLimit = FormatLimit(format: "x", side: 9) }
        ),
        "limits.grace": ("its end is an error", { $0.limits.grace = 9 }),
        "limits.inputBytes": ("a document over the limit is an error", { $0.limits.inputBytes = 99 }),
        "limits.elements": ("a document over the limit is an error", { $0.limits.elements = 99 }),
        "limits.resources": ("a picture that lacks something because of it is not stored", { $0.limits.resources = 9 }),
        "limits.resourceBytes": (
            "a picture that lacks something because of it is not stored", { $0.limits.resourceBytes = 9 }
        ),
        "limits.imagePixels": ("its excess is an error", { $0.limits.imagePixels = 9 }),
        "limits.pictureSide": ("a picture over the limit is an error", { $0.limits.pictureSide = 99 }),
        "limits.picturePixels": ("a picture over the limit is an error", { $0.limits.picturePixels = 99 }),
        "limits.memory": ("its excess is an error", { $0.limits.memory = 1 << 30 }),
    ]

    func testEachPropertyIsListedOnce() {
        XCTAssertEqual(Set(changing.keys).intersection(unchanging.keys), [])
        XCTAssertEqual(Set(changing.keys).union(unchanging.keys), Set(Self.paths(of: Snippet.plain)))
    }

    func testWhateverDecidesPixelsChangesIt() throws {
        let plain = try Snippet.plain.fingerprint()
        XCTAssertEqual(plain, try Snippet.plain.fingerprint())
        var seen: Set = [plain]
        for (path, (part, changes)) in changing {
            for change in changes {
                let changed = try Snippet.plain.fingerprint(after: change)
                XCTAssertTrue(seen.insert(changed).inserted, path)
                XCTAssertTrue(plain.changes(to: changed).map(\.name).contains(part), path)
            }
        }
    }

    func testTheOthersDoNot() throws {
        let plain = try Snippet.plain.fingerprint()
        for (path, (reason, change)) in unchanging {
            XCTAssertEqual(try Snippet.plain.fingerprint(after: change), plain, "\(path): \(reason)")
        }
    }

    /// Offstage's own structs are listed by their properties; everything else counts as one value.
    private static func paths(of value: Any, below path: String = "") -> [String] {
        Mirror(reflecting: value).children.flatMap { child in
            let name = path + (child.label ?? "?")
            let isOurs = [Geometry.self, Margins.self, Emulation.self, Emulation.DefaultFonts.self, SnippetLimits.self]
                .contains { $0 == type(of: child.value) }
            return isOurs ? paths(of: child.value, below: name + ".") : [name]
        }
    }
}

extension Snippet {
    fileprivate static var plain: Snippet { Snippet("<p>x</p>", identifier: "a") }

    func fingerprint(after change: (inout Snippet) -> Void = { _ in }) throws -> Fingerprint {
        var snippet = self
        change(&snippet)
        let engine = MainActor.assumeIsolated { WebEngine() }
        return try XCTUnwrap(engine.fingerprint(of: snippet))
    }
}
