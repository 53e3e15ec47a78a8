import Foundation
import Offstage

/// A document in a view that leaves no traces, so that the next document may be written into the same page.
///
/// A navigation is half of a row's work: messages between three processes, and a new window and script world. Without
/// it, a row takes half the time, and the picture has the same bytes, because `document.open` removes all parts of a
/// document. If a document leaves traces (traces.js), the next one gets a navigation. If a document needs its own
/// address, the stage draws it again with a navigation.
@MainActor
struct Page {
    /// The address of the navigation that made the page.
    let url: String
    /// The view's setting. The next document must have the same one, because a change could reach the process later
    /// than the document.
    private let geometry: Geometry
    private let emulation: Emulation
    /// True if the page contains the script that finds areas.
    private let keepsAreas: Bool
    /// The number of documents that were written into the page. The remains of older documents stay in memory until the
    /// page is replaced.
    private var writings = 0

    private static let mostWritings = 100
    /// The maximum size in bytes of a document to write. Writing a larger one saves no time.
    private static let mostBytes = 1 << 18

    /// - Returns: nil if the document left traces on the page.
    init?(_ scene: Scene, _ readiness: Readiness, after page: Page?) {
        let isWhole = !readiness.isLoading && readiness.late.isEmpty && !scene.isOverdue
        // Scripts cannot examine closed shadow trees.
        guard isWhole, !scene.hasAsked, !scene.isMoved, !readiness.leavesTraces, readiness.blocked.isEmpty,
            !scene.source.namesShadowRoots, Self.isPlain(scene.snippet)
        else { return nil }
        url = scene.url
        geometry = scene.geometry
        emulation = scene.snippet.emulation
        keepsAreas = scene.snippet.keepsAreas
        writings = page?.writings ?? 0
    }

    /// Returns the document's text if it may be written into this page, and counts it.
    mutating func text(of snippet: Snippet) -> String? {
        guard snippet.geometry == geometry, snippet.emulation == emulation,
            snippet.keepsAreas == keepsAreas, Self.isPlain(snippet), writings < Self.mostWritings,
            snippet.html.count <= Self.mostBytes
        else { return nil }
        writings += 1
        return snippet.html.withUnsafeBytes { bytes in
            // A string in a message ends at its first zero byte, and a byte order mark is not text.
            bytes.contains(0) || bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? nil : String(validating: bytes, as: UTF8.self)
        }
    }

    /// True if the document needs no preparation: it has no page scripts, no changes by Offstage and no other charset.
    private static func isPlain(_ snippet: Snippet) -> Bool {
        snippet.type == .html && !snippet.runsScripts && !DocumentScripts.change(snippet)
            && snippet.charset.uppercased() == "UTF-8"
    }
}

/// The error for a document that cannot be written into the page of another one.
struct NeedsNavigation: Error {}
