import Foundation
import Offstage
import OffstageWebKit

/// What a run is made of: where its work comes from, where the pictures go, and who is told.
@MainActor
struct RenderSession {
    let source: JobSource
    let output: OutputPlan
    let files: ResultFiles
    /// Drawn at once, as the user says.
    let views: Int?
    let cache: CacheOptions
    let isQuiet: Bool
    let isJSON: Bool

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

    /// Draws pictures and tells how it goes. Returns the number of failed inputs.
    func draw(
        _ pictures: [Picture], with renderer: Renderer<WebEngine>, _ keep: ([PictureResult]) -> Void
    ) async throws -> Int {
        var reporter = Reporter(isQuiet: isQuiet, isJSON: isJSON, total: pictures.count)
        let failed = try await RenderRun(pictures: pictures, views: views(for: pictures.count)).run(with: renderer) {
            results in
            try reporter.report(results)
            keep(results)
        }
        reporter.finish(place: place)
        return failed
    }

    /// For the last line.
    private var place: String? {
        switch output.place {
        case .folder(let folder): folder
        case .file(let file): file
        case .standardOutput: nil
        }
    }
}
