import Foundation
import Offstage

/// The end of a document whose scripts may continue after its picture.
extension WebStage {
    /// Seconds in which the empty page must have replaced the document; else the engine replaces the web process. Another one
    /// starts in 0.2 s, so there is no reason to wait for long.
    private static let longestLeaving = 1.0

    /// Loads an empty page, which ends the last document's scripts before the process gets another document. If a
    /// document does not let go, its process is ended, so that it delays no other document.
    func leave(_ limits: SnippetLimits) async {
        if life.isUsable {
            let scene = Scene(Snippet("<!doctype html>", identifier: ""), SourceText(Data(), charset: "UTF-8"))
            begin(scene, seconds: Self.longestLeaving, limits) { [weak self] in self?.interrupt?($0) }
            let isLoaded = try? await load(scene)
            endScene()
            if isLoaded != true { life.lose(.hung(seconds: Self.longestLeaving)) }
            // The scripts may have added steps of history since the drawing.
            if hasHistory { life.retire(.history) }
        }
        life.left()
        becameFree()
    }
}
