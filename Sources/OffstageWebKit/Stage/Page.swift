import Foundation
import Offstage

/// A document in a view that has left no trace: the next one may be written into its place.
///
/// A navigation is half of a row's work: messages between three processes, a window and a script world made anew. Without it
/// a row takes half the time, and the same bytes come out: `document.open` takes away all that a document is made of. What it
/// would leave (traces.js), and what a document of its own address is needed for, a navigation makes
/// good: the next one's, or the same one's again.
@MainActor
struct Page {
    /// Ours, of the navigation that made it.
    let url: String
    /// The view stays as it is: a change of it could come later than the document.
    private let geometry: Geometry
    private let emulation: Emulation
    /// What finds areas is there.
    private let keepsAreas: Bool
    /// What an older document might leave in memory is let go with the page.
    private var writings = 0

    private static let mostWritings = 100
    /// Bytes of a document. A larger one gains nothing.
    private static let mostBytes = 1 << 18

    /// - Returns: nil for a document that another would not find as a new one.
    init?(_ scene: Scene, _ readiness: Readiness, after page: Page?) {
        let isWhole = !readiness.isLoading && readiness.late.isEmpty && !scene.isOverdue
        // What is in a shadow tree cannot be looked at.
        guard isWhole, !scene.hasAsked, !scene.isMoved, !readiness.leavesTraces, readiness.blocked.isEmpty,
            !scene.source.namesShadowRoots, Self.isPlain(scene.snippet)
        else { return nil }
        url = scene.url
        geometry = scene.snippet.geometry
        emulation = scene.snippet.emulation
        keepsAreas = scene.snippet.keepsAreas
        writings = page?.writings ?? 0
    }

    /// The document's text, if it may be written into this page.
    mutating func text(of snippet: Snippet) -> String? {
        guard snippet.geometry == geometry, snippet.emulation == emulation,
            snippet.keepsAreas == keepsAreas, Self.isPlain(snippet), writings < Self.mostWritings,
            snippet.html.count <= Self.mostBytes
        else { return nil }
        writings += 1
        return snippet.html.withUnsafeBytes { bytes in
            // A string in a message ends with its first zero, and a byte order mark is no text.
            bytes.contains(0) || bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? nil : String(validating: bytes, as: UTF8.self)
        }
    }

    /// Nothing is done to it at its start.
    private static func isPlain(_ snippet: Snippet) -> Bool {
        snippet.type == .html && !snippet.runsScripts && !DocumentScripts.change(snippet)
            && snippet.charset.uppercased() == "UTF-8"
    }
}

/// The document cannot be drawn in another one's place.
struct NeedsNavigation: Error {}
