import Foundation
import Offstage

/// The end of a document whose scripts may go on after its picture.
extension WebStage {
    /// Seconds in which the empty page must have replaced the document; else the web process is replaced. Starting another takes
    /// 0.2 s, so there is no reason to wait for long.
    private static let longestLeaving = 1.0

    /// Loads an empty page, which ends the last document's scripts before another document comes into the process. A document
    /// that does not let go costs its process, and nobody else's time.
    func leave(_ limits: SnippetLimits) async {
        if isUsable {
            let scene = Scene(Snippet("<!doctype html>", identifier: ""), SourceText(Data(), charset: "UTF-8"))
            begin(scene, seconds: Self.longestLeaving, limits) { [weak self] in self?.interrupt?($0) }
            let isLoaded = try? await load(scene)
            endScene()
            // Steps of history may have been added since the drawing.
            if isLoaded != true || hasHistory { lose(.hung) }
        }
        hasLeft()
    }
}
