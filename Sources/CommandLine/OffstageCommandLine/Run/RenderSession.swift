import Foundation
import Offstage
import OffstageHTML
import OffstageRequests
import OffstageSound

/// The parts of a run: the source of the jobs, the paths of the pictures, and the reports.
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
    /// True: the decoding progress of sounds is printed.
    var reportsDecoding = false
    /// Nil if no signal suspends the run.
    var pause: Pause?
    /// Other machines that draw; nil to draw on this machine.
    var via: ViaRun?

    /// True if more than results and errors is printed.
    var tells: Bool { !isQuiet && (Console.isTerminal || !isJSON) }

    /// The number of simultaneous drawings for each source that the jobs have, by the source's name. No file is read:
    /// one without a known extension counts as belonging to the first source.
    private func views(for jobs: [Job]) -> [String: Int] {
        let counts = jobs.reduce(into: [String: Int]()) { counts, job in
            let source = job.input.sourceFile.flatMap { SourceRegistry.source(ofFile: $0) } ?? SourceRegistry.first
            counts[source.name, default: 0] += 1
        }
        return SourceRegistry.all.reduce(into: [String: Int]()) { views, source in
            if let count = counts[source.name] { views[source.name] = engines.views(of: source, for: count) }
        }
    }

    /// The checked jobs. After this, only single jobs can fail, and not the whole run.
    func jobs() throws(UsageError) -> JobSource.Jobs {
        let found = try source.jobs()
        try output.check(found.jobs)
        try files.check(found, output)
        return found
    }

    /// The renderer of a run.
    ///
    /// - Parameter jobs: its jobs; nil for a run whose jobs change.
    func renderer(for jobs: [Job]?) -> Renderer {
        let views = jobs.map { self.views(for: $0) }
        var configuration = cache.configuration
        // A run needs each thumbnail once. Without a memory cache, the renderer need not watch the kernel's pressure
        // files, which take 20 ms to close.
        configuration.thumbnailBytes = 0
        configuration.shared = via?.shelf
        let renderer = engines.renderer(
            views: { source in views.map { $0[source.name] ?? 1 } ?? engines.viewsOrProcessors }, configuration)
        pause?.observe { renderer.isSuspended = $0 }
        if reportsDecoding, let engine = renderer.engine(SoundEngine.self) { DecodingProgress().observe(engine) }
        return renderer
    }

    /// Draws pictures and reports the progress.
    func draw(
        _ pictures: [RenderJob], with renderer: Renderer, _ keep: ([PictureResult]) -> Void
    ) async throws -> RenderRun.Outcome {
        var reporter = Reporter(isQuiet: isQuiet, isJSON: isJSON, total: pictures.count)
        var run = RenderRun(pictures: pictures, width: renderer.width, pause: pause, timeout: timeout)
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
        tellOfSandbox(renderer)
        return outcome
    }

    /// Warns once per program, and only if something was drawn without a sandbox.
    private func tellOfSandbox(_ renderer: Renderer) {
        guard tells, !Self.hasTold, let absence = renderer.engine(HTMLEngine.self)?.sandboxAbsence else { return }
        Self.hasTold = true
        Console.error("\(absence.problem); drawn without a sandbox")
    }

    private static var hasTold = false

    /// The location of the pictures, for the final line.
    private var place: String? {
        switch output.place {
        case .folder(let folder): folder
        case .file(let file): file
        case .standardOutput: nil
        }
    }
}
