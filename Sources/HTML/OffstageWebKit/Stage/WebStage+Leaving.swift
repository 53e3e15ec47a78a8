import Foundation
import Offstage

/// Ends a document whose scripts may continue after its picture.
extension WebStage {
    /// The number of seconds within which the empty page must replace the document; otherwise, the engine replaces the
    /// web process. A new one starts in 0.2 s, so there is no reason to wait long.
    private static let longestLeaving = 1.0

    /// Loads an empty page, which ends the last document's scripts before the process gets another document. If a
    /// document cannot be left, its process is killed, so that it does not delay other documents.
    func leave(_ limits: SnippetLimits) async {
        if life.isUsable {
            let scene = Scene(Snippet("<!doctype html>", identifier: ""), SourceText(Data(), charset: "UTF-8"))
            begin(scene, seconds: Self.longestLeaving, limits) { [weak self] in
                self?.interrupt?(Interruption($0, grace: limits.grace))
            }
            let isLoaded = try? await load(scene)
            endScene()
            if isLoaded != true { life.lose(.hung(seconds: Self.longestLeaving)) }
            // Scripts may have added history entries since the drawing.
            if hasHistory { life.retire(.history) }
        }
        life.left()
        becameFree()
    }
}
