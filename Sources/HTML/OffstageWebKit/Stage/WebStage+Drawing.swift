import Foundation
import Offstage

/// One drawing, from the snippet to its pixels.
extension WebStage {
    /// The result of an attempt.
    struct Drawn {
        var drawing: Drawing
        /// True if the document was written into an older page.
        var isWritten: Bool
    }

    /// Draws a snippet, and reports the outcome.
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
        // The process may have ended before it was given anything to draw.
        if let refusal = life.refusal { throw refusal }
        try await hidden.applyFilter()
        let start = ContinuousClock.now
        let address = SceneAddress.visible(of: snippet)
        let prepared = try await prepared(snippet)
        let (snippet, source) = (prepared.snippet, prepared.source)
        let spent = start.duration(to: .now) / .seconds(1)
        await loadDictionaries(for: snippet, source)
        if let refusal = life.refusal { throw refusal }
        let old = page
        page = nil
        // A document that requests a file needs a navigation, so don't write it into a page first.
        if var page = old, !source.namesFiles, let text = page.text(of: snippet) {
            do {
                return try await draw(Scene(snippet, source, on: page), text: text, after: page, spent: spent)
            } catch is NeedsNavigation {
                // The snippet needs a navigation of its own.
            }
        }
        return try await draw(Scene(snippet, source, at: address), text: nil, after: nil, spent: spent)
    }

    /// Prepares a snippet. A large one is prepared off the main thread, and counts against its time: if it is not
    /// prepared when the deadline and the grace have passed, the drawing fails as if the web process gave no answer.
    private func prepared(_ snippet: Snippet) async throws -> PreparedSnippet {
        if snippet.html.count <= PreparedSnippet.small { return try PreparedSnippet(snippet) }
        let limit = snippet.timeout + snippet.limits.grace
        let timer = LoopTimer(seconds: limit) { [weak self] in self?.interrupt?(.lost(.hung(seconds: limit))) }
        defer { withExtendedLifetime(timer) {} }
        let work = Task { () -> Result<PreparedSnippet, DrawingError> in
            do throws(DrawingError) { return .success(try await .elsewhere(snippet)) } catch { return .failure(error) }
        }
        defer { work.cancel() }
        let outcome = await outcome { reply in Task { reply.give(.success(await work.value)) } }
        switch outcome {
        case .success(let result): return try result.get()
        case .failure(.lost(.hung)): throw DrawingError.engineHung(seconds: snippet.limits.grace)
        case .failure: throw life.refusal ?? ProcessLoss(.crashed, blame: .nobody, isAlone: false)
        }
    }

    /// - Parameters:
    ///   - text: the document's text, to write it into a page; nil for a navigation.
    ///   - page: the page.
    ///   - spent: seconds of the document's time that are already used up.
    /// - Throws: `DrawingError` or `ProcessLoss`; when the document is written into a page, also `NeedsNavigation`.
    private func draw(
        _ scene: Scene, text: String?, after page: Page?, spent: Double
    ) async throws -> (Drawn, isBlank: Bool) {
        let snippet = scene.snippet
        scene.refusesFrameDocuments = refusesFrameDocuments
        hasLeftForFrameDocument = false
        let start = ContinuousClock.now
        try life.begin(scene.isRewriting ? .written : .expected)
        if snippet.runsScripts { addresses.insert(scene.url) }
        scene.endsForDictionaries = { [weak self, weak scene] in
            scene.map { self?.endsForDictionaries($0) ?? false } ?? false
        }
        begin(scene, seconds: max(0, snippet.timeout - spent), snippet.limits) { [weak self] in
            self?.timeIsUp($0, for: scene)
        }
        defer {
            endScene()
            life.finish(mustLeave: kind.runsScripts)
            if life.work == .leaving { Task { await leave(snippet.limits) } }
        }
        hidden.set(for: snippet, scene.source)
        openWindow(for: scene)
        do {
            let isLoaded = text == nil ? try await load(scene) : true
            if snippet.type != .html { try await checkXML() }
            let readiness = try await laidOut(scene, try await readiness(of: scene, isLoaded: isLoaded, text: text))
            try await checkFonts(of: scene, readiness)
            let drawing = change(try await paint(scene, readiness))
            // Painting may have requested files that the layout did not.
            if scene.isRewriting, scene.hasAsked { throw NeedsNavigation() }
            if scene.hasLeft { throw DrawingError.left }
            let isBlank = try await isBlank(drawing, of: scene, readiness)
            noteRemains(of: scene, isBlank: isBlank, after: start.duration(to: .now))
            // Resources from network hosts are for this document only.
            self.page = !hosts.hosts.isEmpty ? nil : Page(scene, readiness, after: page)
            return (Drawn(drawing: drawing, isWritten: scene.isRewriting), isBlank)
        } catch let error as NeedsNavigation {
            throw error
        } catch {
            if case .failed? = error as? Interruption {
                if scene.hasLeft { throw DrawingError.left }
                // The process may already have ended without WebKit noticing yet.
                if text != nil { throw NeedsNavigation() }
                // An error may arrive before the report that the process has ended.
                if process?.hasEnded == true { webProcessEnded() }
            }
            throw life.refusal ?? scene.error(for: error)
        }
    }

    private func timeIsUp(_ event: TimeLimit.Event, for scene: Scene) {
        switch event {
        case .deadline:
            scene.isOverdue = true
            // Before the commit the view still shows an older document, or its process is just starting.
            if scene.isCommitted { interrupt?(.deadline) }
        case .grace: end(.hung(seconds: scene.snippet.limits.grace))
        }
    }

    /// Decides whether the process continues or a successor replaces it.
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
