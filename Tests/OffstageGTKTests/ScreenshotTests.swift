import CGTK
import COffstageGTK
import Foundation
import Offstage
import OffstageWebKit
import References
import XCTest

@testable import OffstageGTK

/// The list looks like its reviewed reference.
///
/// `OFFSTAGE_RECORD=1 swift test --filter ScreenshotTests` replaces the references with the current pictures. Review
/// them.
final class ScreenshotTests: XCTestCase {
    private static let tests = (#filePath as NSString).deletingLastPathComponent
    private static let root = ((tests as NSString).deletingLastPathComponent as NSString).deletingLastPathComponent
    private static let snippets = root + "/Snippets"

    /// Snippets whose fonts are in the repository, so that they look the same on any machine.
    private static let names = [
        "chat-team", "score-football", "email-inbox", "weather-now", "travel-train", "product-mug", "poll-council",
        "tile-server", "invoice-lines", "music-player",
    ]

    @MainActor
    private static func bench(width: Int = 520, height: Int = 700) -> SnippetBench {
        SnippetBench(rows: 200, width: width, height: height) { row in
            let path = "\(snippets)/\(names[row % names.count]).html"
            return Snippet(
                identifier: "", html: FileManager.default.contents(atPath: path) ?? Data(), base: BaseFolder(snippets))
        }
    }

    func testTheRestingListLooksLikeItsReference() throws {
        try onMain {
            let bench = Self.bench()
            // The scroll bar would fade in and out.
            gtk_scrolled_window_set_policy(cast(bench.list.widget), GTK_POLICY_NEVER, GTK_POLICY_EXTERNAL)
            bench.list.scroll(to: 101, .top)
            bench.pumpUntilComplete()
            bench.list.selection = 102
            pump(frames: 2, of: bench.inner)
            try Self.compare(bench, "resting")
            // In a narrower window, the live row looks like its picture.
            gtk_window_resize(cast(bench.window), 420, 700)
            pump { bench.list.sizing.width == 404 && bench.list.slots[101]?.picture?.askedWidth == 404 }
            bench.pumpUntilComplete()
            bench.list.makeLive(row: 102)
            XCTAssert(pump { bench.list.isLive(row: 102) })
            pump(frames: 3, of: bench.inner)
            try Self.compare(bench, "narrow")
            bench.close()
        }
    }

    /// The list without the theme's overlays.
    @MainActor
    private static func compare(_ bench: SnippetBench, _ name: String) throws {
        let references = References(folder: "\(tests)/References")
        let result = "\(root)/.build/reference-failures/list-\(name).png"
        let environment = ProcessInfo.processInfo.environment
        let isRecording = environment["OFFSTAGE_RECORD"] == "1" && environment["CI"] != "true"
        let screen = bench.screen()
        let reference = references.path(name)
        let recorded = Screen(contentsOf: reference)
        let count = recorded.map { screen.differences(to: $0) }
        if isRecording, count != 0 { return try screen.write(to: references.newPath(name)) }
        XCTAssertNotNil(count, "there is no \(reference)")
        if let count, count > 0 {
            try FileManager.default.createDirectory(
                atPath: (result as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try screen.write(to: result)
        }
        XCTAssertEqual(count, 0, "pixels differ, see \(result)")
    }
}
