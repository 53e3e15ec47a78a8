import CGTK
import Foundation
import Offstage
import OffstageCommandLine
import OffstageGTK
import OffstageWebKit

/// One pass through a list or a grid, and the measurements during it.
@MainActor
final class BrowseRide {
    let view: any BrowseView
    private let way: BrowseRun.Way
    private let window: UnsafeMutablePointer<GtkWidget>
    private var rests: [Double] = []
    /// The current rest: its start, and the time at which all rows were complete.
    private var rest: (index: Int, start: Double, end: Double?)?
    /// The contents of the visible rows, counted for each part of the script.
    private var seen: [BrowseFigures.Seen] = []
    private var memory = 0
    private var start = 0.0

    init(_ view: any BrowseView, _ way: BrowseRun.Way) {
        (self.view, self.way) = (view, way)
        window = gtk_window_new(GTK_WINDOW_TOPLEVEL)
        gtk_window_set_default_size(cast(window), view is PictureGrid ? 860 : 560, 860)
        gtk_container_add(cast(window), view.widget)
        gtk_widget_show_all(window)
    }

    func close() { gtk_widget_destroy(window) }

    func run(_ script: ScrollScript) async throws -> FrameLog {
        let adjustment = gtk_scrolled_window_get_vadjustment(cast(view.widget))!
        // GTK's distance for one step of a wheel.
        let step = pow(gtk_adjustment_get_page_size(adjustment), 2.0 / 3)
        var last = 0.0
        let watch = Task { [weak self] in
            while !Task.isCancelled {
                let now = await Self.memoryOfAll()
                self?.memory = max(self?.memory ?? 0, now)
                try? await Task.sleep(for: .seconds(1))
            }
        }
        defer { watch.cancel() }
        var log: FrameLog?
        log = FrameLog(of: view.widget) { [unowned self] time in
            guard let (index, part) = script.part(at: time) else { return false }
            let distance = script.distance(at: time, wheelStep: step)
            if distance != last {
                // Move by a distance, not to a position: the heights of rows become known meanwhile, which may move the
                // beginning of the list.
                gtk_adjustment_set_value(adjustment, gtk_adjustment_get_value(adjustment) + distance - last)
                last = distance
            }
            log?.note(isMoving: part != .rest)
            while seen.count <= index { seen.append(BrowseFigures.Seen(part: "\(script.steps[seen.count].part)")) }
            look(at: time, index, isRest: part == .rest)
            return true
        }
        await log!.run()
        endRest(at: script.duration)
        return log!
    }

    func figures(_ log: FrameLog, named name: String) -> BrowseFigures {
        let frames = log.moving.sorted()
        func part(_ part: Double) -> Double { frames.isEmpty ? 0 : frames[Int(Double(frames.count - 1) * part)] }
        let rests = rests.sorted()
        let full = seen.reduce(0) { $0 + $1.full }
        let (thumbnail, neither) = (seen.reduce(0) { $0 + $1.thumbnail }, seen.reduce(0) { $0 + $1.neither })
        let all = Double(max(1, full + thumbnail + neither))
        return BrowseFigures(
            name: name, frameMedian: part(0.5), frameP99: part(0.99), frameMost: part(1), frames: frames.count,
            over16: frames.count { $0 > 16.7 }, over33: frames.count { $0 > 33 },
            completeMedian: rests.isEmpty ? 0 : rests[rests.count / 2], completeMost: rests.last ?? 0,
            full: Double(full) / all, thumbnail: Double(thumbnail) / all, placeholder: Double(neither) / all,
            seen: seen,
            pictures: 0, picturesLimit: 0, memory: memory, drawn: 0)
    }

    // MARK: Measurements

    /// - Parameter index: the index of the script's part.
    private func look(at time: Double, _ index: Int, isRest: Bool) {
        makeLive()
        for row in view.visible {
            switch view.content(of: row) {
            case .picture, .live: seen[index].full += 1
            case .thumbnail, .stale: seen[index].thumbnail += 1
            case .text: seen[index].neither += 1
            }
        }
        if rest?.index != (isRest ? index : nil) {
            endRest(at: time)
            if isRest { rest = (index, time, nil) }
        }
        if rest != nil, rest?.end == nil, isComplete { rest?.end = time }
    }

    private func endRest(at time: Double) {
        // The first rest is the list's start.
        if let rest, rest.start > 0 { rests.append(((rest.end ?? time) - rest.start) * 1000) }
        rest = nil
    }

    var isComplete: Bool {
        !view.visible.isEmpty
            && view.visible.allSatisfy { row in
                switch view.content(of: row) {
                case .picture, .live: true
                case .thumbnail, .stale, .text: false
                }
            }
    }

    func waitUntilComplete(seconds: Double) async throws {
        let log = FrameLog(of: view.widget) { [unowned self] time in
            makeLive()
            return !isComplete && time < seconds
        }
        await log.run()
    }

    /// Makes all visible rows live, if the way shows live rows.
    private func makeLive() {
        guard way == .live, let list = view as? PictureList else { return }
        for row in list.visibleRows where !list.rowsLive.contains(row) { list.makeLive(row: row) }
    }

    /// The memory of this process and all its descendants, MB.
    @concurrent
    private nonisolated static func memoryOfAll() async -> Int {
        let kilobytes = ([getpid()] + ChildProcesses.descendants()).map { process in
            let text = (try? String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)) ?? ""
            let line = text.split(separator: "\n").first { $0.hasPrefix("Pss:") }
            return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        }
        return kilobytes.reduce(0, +) >> 10
    }
}
