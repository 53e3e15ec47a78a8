import Foundation
import Offstage
import OffstageHTML
import OffstageRequests
import OffstageShared

/// Lets other machines draw all requests of a program: `render --via` and `pipe --via`.
package struct ViaRequests: Sendable {
    private let remote: RemoteRequests
    /// The maximum number of steps. A document's files may name others, such as the fonts of a style sheet, and each
    /// step costs a drawing.
    private static let mostSteps = 5

    package init(_ shelf: PostgresShelf) { remote = RemoteRequests(shelf) }

    /// Lets another machine draw a request, unless its files are cached here or shared. Afterwards, the renderer finds
    /// them in its cache.
    ///
    /// - Parameters:
    ///   - document: reads the request's document again.
    ///   - control: controls the request until the renderer gets it. Cancelling the calling task withdraws it.
    /// - Returns: true if another machine has drawn it for this call.
    package func draw(
        _ request: any DrawingRequest, _ settings: Settings, _ options: RenderOptions,
        _ control: RequestControl = RequestControl(), for renderer: Renderer,
        document: @Sendable () throws -> SourceDocument
    ) async throws(RenderError) -> Bool {
        let variants = settings.variants
        if options.usesCache, await renderer.hasFiles(for: request, as: variants) { return false }
        var missing = await renderer.differingFiles(for: request, as: variants)
        if options.usesCache, missing == [] { return false }
        func failure(_ reason: DrawingError) -> RenderError {
            RenderError(identifier: request.identifier, reason: reason)
        }
        if let problem = PortableRequest.problem(with: settings) { throw failure(.invalidRequest(problem)) }
        var portable: PortableRequest
        do { portable = try PortableRequest(try document(), settings) } catch {
            throw failure(.invalidRequest("\(error)"))
        }
        let waiting = ViaControl(remote.shelf, renderer, options)
        control.attach(to: waiting, number: 0)
        guard await waiting.untilAllowed() else { throw failure(.cancelled) }
        for _ in 0..<Self.mostSteps {
            for path in missing ?? [] where portable.files[path] == nil {
                if let data = await Self.file(path, of: request) { portable.add(data, at: path) }
            }
            let sent = portable
            let outcome = await patiently {
                await self.remote.drawn(sent, request, variants, waiting.options, for: renderer) { waiting.submit($0) }
            }
            // A strict request would fail because of missing files, which this step needs as its dependencies.
            if case .failed(.incomplete(let warnings)) = outcome {
                let known = portable.files.count
                for path in Set(warnings.map(\.subject)) where portable.files[path] == nil {
                    if let data = await Self.file(path, of: request) { portable.add(data, at: path) }
                }
                if portable.files.count > known { continue }
            }
            if let problem = self.problem(with: outcome) { throw failure(problem) }
            missing = await renderer.differingFiles(for: request, as: variants)
            if missing?.isEmpty ?? true { return true }
        }
        throw failure(
            .invalidRequest("its files changed while it was drawn, or they load one another in too many steps"))
    }

    private func problem(with outcome: SharedOutcome?) -> DrawingError? {
        switch outcome {
        case nil:
            .invalidRequest(
                "the document and its files exceed \(PostgresShelf.largestRequest) bytes; render it without --via")
        case .failed(let reason): reason
        case .noSuchMachine:
            .invalidRequest(
                "no machine of class \(remote.shelf.machineClass) that draws this source is running any more")
        case .full: .queueFull(limit: PostgresShelf.mostWaiting)
        case .unavailable(let error): .invalidRequest("\(error)")
        case .drawn: nil
        }
    }

    /// The times until the next attempt, seconds. While PostgreSQL is unavailable, a request waits; its deadline,
    /// `--run-timeout` and Ctrl-C end it.
    private static let pauses = [0.5, 1, 2, 4]
    /// The attempts without a machine before a request fails: after an outage of PostgreSQL, the machines need time to
    /// register again.
    private static let attemptsWithoutMachine = 8

    private func patiently(_ body: () async -> SharedOutcome?) async -> SharedOutcome? {
        var attempts = 0
        while true {
            let outcome = await body()
            switch outcome {
            case .unavailable(let error) where error.isPassing: break
            case .noSuchMachine where attempts < Self.attemptsWithoutMachine: break
            default: return outcome
            }
            let pause = Self.pauses[min(attempts, Self.pauses.count - 1)]
            attempts += 1
            guard (try? await Task.sleep(for: .seconds(pause))) != nil else { return .failed(.cancelled) }
        }
    }

    private static func file(_ path: String, of request: any DrawingRequest) async -> Data? {
        guard let base = (request.innermost as? Snippet)?.base else { return nil }
        return try? await base.resource(at: path)
    }
}
