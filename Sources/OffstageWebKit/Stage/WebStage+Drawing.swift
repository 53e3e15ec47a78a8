import Foundation
import Offstage

/// One drawing, from the snippet to its pixels.
extension WebStage {
    /// The result of an attempt.
    struct Drawn {
        var drawing: Drawing
        /// The document was written into an older page.
        var isWritten: Bool
    }

    /// Draws a snippet, and reports how that ended.
    func draw(_ snippet: Snippet) async -> Attempts.Outcome<Drawn> {
        do {
            let (drawn, isBlank) = try await drawn(snippet)
            return .drawn(drawn, isBlank: isBlank)
        } catch let loss as ProcessLoss {
            return .lost(loss)
        } catch let error as DrawingError {
            return .failed(error)
        } catch {
            return .failed(.engineFailed("\(error)"))
        }
    }

    /// - Throws: `DrawingError` or `ProcessLoss`.
    private func drawn(_ snippet: Snippet) async throws -> (Drawn, isBlank: Bool) {
        // It may have ended before it was given anything to draw.
        if let refusal = life.refusal { throw refusal }
        try await hidden.applyFilter()
        var snippet = await snippet.inUTF8()
        let source = await SourceText.of(snippet)
        // Some images are decoded while the document is laid out.
        try source.check(snippet.limits)
        snippet.html = await AnimatedSVG.prepared(snippet, source)
        let old = page
        page = nil
        // A document that asks for a file needs a navigation, so do not write it first.
        if var page = old, !source.namesFiles, let text = page.text(of: snippet) {
            do {
                return try await draw(Scene(snippet, source, on: page), text: text, after: page)
            } catch is NeedsNavigation {
                // It needs a document of its own.
            }
        }
        return try await draw(Scene(snippet, source), text: nil, after: nil)
    }

    /// - Parameters:
    ///   - text: the document's text, to write it into a page; nil for a navigation.
    ///   - page: the page.
    /// - Throws: `DrawingError` or `ProcessLoss`; for a writing also `NeedsNavigation`.
    private func draw(
        _ scene: Scene, text: String?, after page: Page?
    ) async throws -> (Drawn, isBlank: Bool) {
        let snippet = scene.snippet
        let start = ContinuousClock.now
        try life.begin(scene.isRewriting ? .written : .expected)
        begin(scene, seconds: snippet.timeout, snippet.limits) { [weak self] in self?.timeIsUp($0, for: scene) }
        defer {
            endScene()
            life.finish(mustLeave: kind.runsScripts)
            if life.work == .leaving { Task { await leave(snippet.limits) } }
        }
        hidden.set(for: snippet, scene.source)
        do {
            let isLoaded = text == nil ? try await load(scene) : true
            if snippet.type != .html { try await checkXML() }
            let readiness = try await readiness(of: scene, isLoaded: isLoaded, text: text)
            try await checkFonts(of: scene, readiness)
            let drawing = change(try await paint(scene, readiness))
            // The painting may have asked for files that the layout had not.
            if scene.isRewriting, scene.hasAsked { throw NeedsNavigation() }
            if scene.hasLeft { throw DrawingError.left }
            let isBlank = try await isBlank(drawing, of: scene, readiness)
            noteRemains(of: scene, isBlank: isBlank, after: start.duration(to: .now))
            // A host's answers are for this document alone.
            self.page = !hosts.hosts.isEmpty ? nil : Page(scene, readiness, after: page)
            return (Drawn(drawing: drawing, isWritten: scene.isRewriting), isBlank)
        } catch let error as NeedsNavigation {
            throw error
        } catch {
            if case .failed? = error as? Interruption {
                if scene.hasLeft { throw DrawingError.left }
                // Perhaps the process ended before, and WebKit has not noticed yet.
                if text != nil { throw NeedsNavigation() }
                // An answer that is an error may come before the news of the end.
                if process?.hasEnded == true { webProcessEnded() }
            }
            throw life.refusal ?? scene.error(for: error)
        }
    }

    private func timeIsUp(_ interruption: Interruption, for scene: Scene) {
        switch interruption {
        case .deadline:
            scene.isOverdue = true
            // Before the commit the view still shows an older document, or its process is just starting.
            if scene.isCommitted { interrupt?(.deadline) }
        default: end(.hung(seconds: scene.snippet.limits.grace))
        }
    }

    /// Decides whether the process draws on, or a successor is to take over.
    private func noteRemains(of scene: Scene, isBlank: Bool, after time: Duration) {
        fontUses.note(scene.source.fontDeclarations)
        if isBlank { life.retire(.blank) }
        if fontUses.areTooMany { life.retire(.fonts) }
        if hasHistory { life.retire(.history) }
        if life.isUsable, !life.isWorn,
            let wear = recycling.wear(
                after: life.drawings, time: time, usesManyFonts: fontUses.areMany, memory: { process?.memory })
        {
            life.wear(wear)
        }
    }
}
