import CGTK
import Foundation
import Offstage
import OffstageCommandLine
import OffstageGTK
import OffstageRequests
import OffstageWebKit

/// `offstage browse --bench` for PDF documents: turns their pages at a steady pace, and looks at what each frame shows.
@MainActor
final class PageBench {
    private let jobs: [Job]
    private let engines: EngineOptions
    private let seconds: Double
    private let isWarm: Bool
    private var view: PageView!
    private var figures = PageFigures()
    /// The time of the last turn of a page, on the frame log's clock.
    private var turned = 0.0
    /// True once the pages of the last turn have been shown complete.
    private var isComplete = true
    private var expected: [String] = []
    private var lastFrame = 0.0

    /// Turns per second.
    private static let pace = 5.0
    private static let limit = 256 << 20

    init(jobs: [Job], engines: EngineOptions, seconds: Double, isWarm: Bool) {
        (self.jobs, self.engines) = (jobs, engines)
        (self.seconds, self.isWarm) = (seconds, isWarm)
    }

    func run(asJSON isJSON: Bool) async throws {
        let folder = NSTemporaryDirectory() + "offstage-browse-\(getpid())-pages"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        if isWarm { try await pass(folder) }
        try await pass(folder)
        if isJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
            try Console.print(String(decoding: encoder.encode(figures), as: UTF8.self))
        } else {
            try Console.print(figures.table)
        }
    }

    private func pass(_ folder: String) async throws {
        figures = PageFigures()
        (turned, isComplete, expected, lastFrame) = (0, true, [], 0)
        var configuration = RendererConfiguration()
        configuration.memory = CachedPictures.cache(limits: MemoryCacheLimits(bytes: Self.limit))
        configuration.store = PictureStore(folder: folder)
        let renderer = engines.renderer(views: engines.viewsOrProcessors, configuration)
        let books = BrowseBooks(jobs, renderer)
        await books.readAll()
        let withPages = books.books.filter { !$0.pages.isEmpty }
        if withPages.isEmpty { throw UsageError("no document can be read") }
        view = PageView(renderer: renderer, books: withPages)
        figures.documents = withPages.count
        let window = gtk_window_new(GTK_WINDOW_TOPLEVEL)!
        gtk_window_set_default_size(cast(window), 860, 860)
        gtk_container_add(cast(window), view.widget)
        gtk_widget_show_all(window)
        let start = ContinuousClock.now
        // The reader waits until the first page is shown.
        let first = FrameLog(of: view.focusWidget) { [unowned self] time in
            figures.firstPage = start.duration(to: .now) / .milliseconds(1)
            return time < 15 && !isShown(.stretched)
        }
        await first.run()
        let log = FrameLog(of: view.focusWidget) { [unowned self] time in step(time) }
        await log.run()
        figures.note(log)
        gtk_widget_destroy(window)
        view = nil
        figures.openings = await PageOpenings(withPages, renderer).measure()
        await renderer.finish(.cancelled)
    }

    private func isShown(_ quality: ShownPage.Quality) -> Bool {
        !view.shown.isEmpty && view.shown.allSatisfy { $0.quality >= quality }
    }

    /// Before each frame: looks at the last one, and turns if it is time.
    private func step(_ time: Double) -> Bool {
        look(time)
        if time - turned >= 1 / Self.pace {
            let start = ContinuousClock.now
            if !view.turnForward() { view.show(document: 0, page: 1) }
            figures.turnTimes.append(start.duration(to: .now) / .milliseconds(1))
            let book = view.books[view.position.document]
            expected = (view.visiblePages ?? 1...1).map { "\(book.identifier): page \($0)" }
            (turned, isComplete) = (time, false)
            figures.turns += 1
        }
        lastFrame = time
        return time < seconds
    }

    private func look(_ time: Double) {
        if expected.isEmpty { return }
        figures.look(view.shown, expected: expected, duration: time - lastFrame)
        guard !isComplete, isShown(.stretched) else { return }
        isComplete = true
        figures.completeAfter.append((time - turned) * 1000)
    }
}
