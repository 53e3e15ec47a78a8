import Foundation
import Offstage
import OffstageRequests
import OffstageWebKit

/// What a run is made of: where its work comes from, where the pictures go, and who is told.
@MainActor
struct RenderSession {
    let source: JobSource
    let output: OutputPlan
    let files: ResultFiles
    /// Drawn at once, as the user says.
    let views: Int?
    let sandbox: Sandbox
    let hosts: AllowedHosts
    let cache: CacheOptions
    let isQuiet: Bool
    let isJSON: Bool
    /// Seconds for each run; nil for as long as it takes.
    let timeout: Double?
    /// Nil where no signal pauses the run.
    var pause: Pause?

    /// Whether there is more to tell than results and errors.
    var tells: Bool { !isQuiet && (Console.isTerminal || !isJSON) }

    /// How many are drawn at once: without the user's word as many as there are processors, but fewer of a few pictures. A view
    /// is worth its start, 0.2 s, from some 50 pictures on.
    func views(for pictures: Int) -> Int {
        let processors = min(ProcessInfo.processInfo.activeProcessorCount, 8)
        return min(views ?? min(processors, pictures / 50 + 1), max(1, pictures))
    }

    /// What there is to do, checked: nothing of it can go wrong as a whole any more.
    func jobs() throws(UsageError) -> JobSource.Jobs {
        let found = try source.jobs()
        try output.check(found.jobs)
        try files.check(found, output)
        return found
    }

    /// What draws for it.
    func renderer(views: Int) -> Renderer {
        var configuration = cache.configuration
        if pause != nil { configuration.maximumWaiting = RenderRun.window(views: views) }
        let engine = WebEngine(views: views, allowedHosts: hosts)
        engine.sandbox = sandbox
        let renderer = Renderer(engine: engine, configuration: configuration)
        pause?.observe { renderer.isSuspended = $0 }
        return renderer
    }

    /// Draws pictures and tells how it goes.
    func draw(
        _ pictures: [Picture], with renderer: Renderer, _ keep: ([PictureResult]) -> Void
    ) async throws -> RenderRun.Outcome {
        var reporter = Reporter(isQuiet: isQuiet, isJSON: isJSON, total: pictures.count)
        let run = RenderRun(pictures: pictures, views: views(for: pictures.count), pause: pause, timeout: timeout)
        let outcome = try await run.run(with: renderer) { news in
            switch news {
            case .results(let results):
                try reporter.report(results)
                keep(results)
            case .paused(let isPaused): reporter.pause(isPaused)
            }
        }
        reporter.finish(place: place)
        await tellOfSandbox(renderer)
        return outcome
    }

    /// Once a program, and only where something was drawn without.
    private func tellOfSandbox(_ renderer: Renderer) async {
        guard tells, sandbox == .wherePossible, renderer.counters.drawn > 0, !Self.hasTold,
            let absence = await Sandbox.absence
        else { return }
        Self.hasTold = true
        Console.error("\(absence.problem); drawn without")
    }

    private static var hasTold = false

    /// For the last line.
    private var place: String? {
        switch output.place {
        case .folder(let folder): folder
        case .file(let file): file
        case .standardOutput: nil
        }
    }
}
