import Foundation
import Offstage
import OffstageCommandLine
import OffstageInk
import OffstageRequests
import OffstageWebKit

/// The windows of `offstage browse`, and its benches.
@MainActor
package enum BrowseWindows {
    /// Shows a run, until the user has closed its window or its bench has printed the figures.
    package static func show(_ run: BrowseRun) throws {
        if let ink = run.ink {
            defer { ChildProcesses.endAllWithDisplays() }
            return try MainLoop.run {
                try SharedLibrary.webKit.load()
                if let bench = run.bench { try await measure(ink, bench, run) } else { try await draw(on: ink, run) }
            }
        }
        let jobs = try run.jobs()
        try PrivateFonts.apply(run.engines.fonts)
        defer { PrivateFonts.discard() }
        defer { ChildProcesses.endAllWithDisplays() }
        try MainLoop.run {
            try SharedLibrary.webKit.load()
            if let bench = run.bench { try await measure(jobs, bench, run) } else { try await show(jobs, run) }
        }
    }

    private static func show(_ jobs: [Job], _ run: BrowseRun) async throws {
        try WindowDisplay.useDesktops()
        let rows = BrowseRows(jobs, count: run.rowCount)
        var configuration = run.configuration
        configuration.memory = CachedPictures.cache()
        let renderer = run.engines.renderer(views: run.engines.viewsOrProcessors, configuration)
        let window = BrowseWindow(rows, renderer, isGrid: run.isGrid)
        window.startPlaying()
        await window.closed()
        await renderer.finish(.cancelled)
    }

    /// Opens an ink file for drawing.
    private static func draw(on path: String, _ run: BrowseRun) async throws {
        try WindowDisplay.useDesktops()
        let engine = InkEngine(workers: 1, jail: run.engines.sandbox.jail, fresh: run.engines.fresh)
        let events = InkEvents()
        let renderer = run.engines.renderer(views: run.engines.viewsOrProcessors, run.configuration)
        let window = InkWindow(name: (path as NSString).lastPathComponent)
        events.window = window
        let opened = try await InkFile.open(
            path, engine: engine, progress: { events.note($0) }, notify: { events.note($0) })
        window.open(opened)
        for warning in opened.warnings { Console.error("\(path): \(warning)") }
        let backdrops = Task {
            for (index, page) in opened.editor.ink.pages.enumerated() {
                guard let request = InkBackdrop.request(for: page, of: path, at: index) else { continue }
                let picture = try? await renderer.picture(for: request)
                window.setBackdrop(picture?.pixmap, page: index)
            }
        }
        await window.closed()
        backdrops.cancel()
        await renderer.finish(.cancelled)
        await engine.shutDown()
    }

    /// Measures how smoothly the pages of documents turn, or how a list or a grid scrolls.
    private static func measure(_ jobs: [Job], _ bench: BrowseRun.Bench, _ run: BrowseRun) async throws {
        try await WindowDisplay.startOwn()
        if jobs.allSatisfy({ $0.input.source.name == "pdf" }), !run.isGrid {
            let pages = PageBench(jobs: jobs, engines: run.engines, seconds: bench.seconds, isWarm: bench.isWarm)
            return try await pages.run(asJSON: bench.isJSON)
        }
        let list = BrowseBench(
            jobs: jobs, rows: run.rowCount ?? 20_000, engines: run.engines,
            script: ScrollScript(bench.script, seconds: bench.seconds), ways: bench.ways, isWarm: bench.isWarm,
            isGrid: run.isGrid)
        try await list.run(asJSON: bench.isJSON)
    }

    /// Measures how fast an ink file opens, and how fast the window follows the pen.
    private static func measure(_ path: String, _ bench: BrowseRun.Bench, _ run: BrowseRun) async throws {
        try await WindowDisplay.startOwn()
        let engine = InkEngine(workers: 1, jail: run.engines.sandbox.jail, fresh: run.engines.fresh)
        try await InkBench(path, engine).run(asJSON: bench.isJSON, writesLong: bench.script == .people)
        await engine.shutDown()
    }
}

/// Shows what happens to a file in its window.
@MainActor
private final class InkEvents: Sendable {
    weak var window: InkWindow?

    nonisolated func note(_ slice: InkSlice) { Task { @MainActor in self.window?.show(slice) } }

    nonisolated func note(_ event: InkFile.Event) {
        Task { @MainActor in
            if let window = self.window { return window.note(event) }
            // True while the file is being opened, and after the window was closed.
            switch event {
            case .failed(let error): Console.error("not saved: \(error)")
            case .keptOriginal(let path): Console.line("the previous version of the file is now \(path)")
            case .moved(let path): Console.line("another program has changed the file; your changes are in \(path)")
            case .keptOther(let path):
                Console.line("another program wrote the file at the same moment; its version is now \(path)")
            case .saved, .stored, .openedElsewhere, .changedElsewhere, .skipped: break
            }
        }
    }
}
