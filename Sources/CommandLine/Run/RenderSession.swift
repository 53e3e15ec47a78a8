import Foundation
import Offstage
import OffstageRequests
import OffstageSound
import OffstageWebKit

/// The parts of a run: the source of the jobs, the places of the pictures, and the reports.
@MainActor
struct RenderSession {
    let source: JobSource
    let output: OutputPlan
    let files: ResultFiles
    let engines: EngineOptions
    let cache: CacheOptions
    let isQuiet: Bool
    let isJSON: Bool
    /// The time limit of each run, seconds; nil for none.
    let timeout: Double?
    /// True: how far sounds are decoded is printed.
    var reportsDecoding = false
    /// Nil if no signal suspends the run.
    var pause: Pause?
    /// Other machines that draw; nil to draw here.
    var via: ViaRun?

    /// True if more than results and errors is printed.
    var tells: Bool { !isQuiet && (Console.isTerminal || !isJSON) }

    /// The number of drawings at once. By default, one per processor, and fewer for few pictures: a view is worth its
    /// start, 0.2 s, from some 50 pictures on.
    func views(for pictures: Int) -> Int {
        let processors = min(ProcessInfo.processInfo.activeProcessorCount, 8)
        return min(engines.views ?? min(processors, pictures / 50 + 1), max(1, pictures))
    }

    /// The checked jobs. After this, only single jobs can fail, and not the whole run.
    func jobs() throws(UsageError) -> JobSource.Jobs {
        let found = try source.jobs()
        try output.check(found.jobs)
        try files.check(found, output)
        return found
    }

    /// The renderer of the run.
    func renderer(views: Int) -> Renderer {
        var configuration = cache.configuration
        // A run asks for each thumbnail once. With nothing in memory the renderer need not watch the kernel's pressure files,
        // which take 20 ms to close.
        configuration.thumbnailBytes = 0
        configuration.shared = via?.shelf
        let renderer = engines.renderer(views: views, configuration)
        pause?.observe { renderer.isSuspended = $0 }
        if reportsDecoding, let engine = renderer.engine(SoundEngine.self) { DecodingProgress().observe(engine) }
        return renderer
    }

    /// Draws pictures and reports the progress.
    func draw(
        _ pictures: [RenderJob], with renderer: Renderer, _ keep: ([PictureResult]) -> Void
    ) async throws -> RenderRun.Outcome {
        var reporter = Reporter(isQuiet: isQuiet, isJSON: isJSON, total: pictures.count)
        var run = RenderRun(pictures: pictures, views: views(for: pictures.count), pause: pause, timeout: timeout)
        if via != nil { run.window = ViaRun.window }
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

    /// Warns once per program, and only if something was drawn without a sandbox.
    private func tellOfSandbox(_ renderer: Renderer) async {
        guard tells, engines.sandbox == .wherePossible, renderer.counters.drawn > 0, !Self.hasTold,
            let absence = await Sandbox.absence
        else { return }
        Self.hasTold = true
        Console.error("\(absence.problem); drawn without")
    }

    private static var hasTold = false

    /// The place of the pictures in the final line.
    private var place: String? {
        switch output.place {
        case .folder(let folder): folder
        case .file(let file): file
        case .standardOutput: nil
        }
    }
}
