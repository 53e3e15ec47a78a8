import CGTK
import Foundation
import Offstage
import OffstageCommandLine
import OffstageGTK
import OffstageInk
import OffstageWebKit

/// `offstage browse notes.xopp --bench`: opens a copy of the file, writes on it, undoes and saves, and measures each.
@MainActor
final class InkBench {
    private let path: String
    private let engine: InkEngine
    private let canvas = InkCanvas(InkEditor(Ink()))
    private let window = gtk_window_new(GTK_WINDOW_TOPLEVEL)!
    private var figures = InkFigures()
    private let painted = SignalHandlers()
    private var whenPainted: (() -> Void)?
    private let saves = SaveCount()

    init(_ path: String, _ engine: InkEngine) { (self.path, self.engine) = (path, engine) }

    /// - Parameter writesLong: true for two hours of writing, as fast as possible.
    func run(asJSON isJSON: Bool, writesLong: Bool) async throws {
        let folder = NSTemporaryDirectory() + "offstage-browse-\(getpid())-ink"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let copy = folder + "/" + (path as NSString).lastPathComponent
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        try await open(copy)
        if writesLong {
            figures.memory = await InkMarathon(canvas).run()
        } else {
            measureRedraw()
            measurePoints()
            await measureMotions()
            await measureUndo()
            await measureSaving()
        }
        await canvas.file?.close()
        gtk_widget_destroy(window)
        try Console.print(isJSON ? figures.json() : figures.table)
    }

    private func open(_ path: String) async throws {
        gtk_window_set_default_size(cast(window), 860, 960)
        gtk_container_add(cast(window), canvas.widget)
        let (gaps, saves, canvas) = (LoopGaps(), saves, canvas)
        let (start, processor) = (LoopGaps.wall, LoopGaps.process)
        gtk_widget_show_all(window)
        let after: @convention(c) (UnsafeMutableRawPointer, gpointer) -> Void = { _, data in
            onMainActor(data) { receiver($0, as: InkBench.self)?.whenPainted?() }
        }
        let clock = gtk_widget_get_frame_clock(window)!
        painted.connect("after-paint", of: gpointer(clock), unsafeBitCast(after, to: GCallback.self), to: self)
        var isOpen = false
        whenPainted = { [unowned self] in
            let now = LoopGaps.wall - start
            if figures.firstPaint == 0 { figures.firstPaint = now }
            if figures.firstStrokes == 0, canvas.itemCount > 0 { figures.firstStrokes = now }
            if figures.allStrokes == 0, isOpen, canvas.isComplete { figures.allStrokes = now }
        }
        let opened = try await InkFile.open(
            path, engine: engine,
            progress: { slice in Task { @MainActor [weak canvas] in canvas?.show(slice) } },
            notify: { event in if case .saved = event { saves.note() } })
        canvas.open(opened)
        figures.loaded = LoopGaps.wall - start
        isOpen = true
        while figures.allStrokes == 0 { await frame() }
        gaps.stop()
        figures.openingProcessor = LoopGaps.process - processor
        figures.openingBlock = gaps.all.part(1)
        figures.openingBlockProcessor = gaps.processor.part(1)
        figures.strokes = canvas.editor.ink.strokeCount
    }

    /// Waits for the next frame.
    private func frame() async {
        gtk_widget_queue_draw(canvas.widget)
        await withCheckedContinuation { continuation in
            let before = whenPainted
            whenPainted = { [unowned self] in
                whenPainted = before
                before?()
                continuation.resume()
            }
        }
    }

    private func complete() async { while !canvas.isComplete { await frame() } }

    /// Draws everything visible on one thread, without a break.
    private func measureRedraw() {
        let page = canvas.editor.ink.pages[0]
        let scale = 96.0 / 72 * canvas.zoom
        let part = InkPart(
            x: 0, y: 0, width: Int(Double(page.width) * scale), height: min(960, Int(Double(page.height) * scale)))
        var pixels = [UInt8](repeating: 255, count: 4 * part.width * part.height)
        let raster = InkRaster()
        let start = LoopGaps.thread
        pixels.withUnsafeMutableBytes { bytes in
            let target = InkRaster.Target(
                pixels: bytes.baseAddress!, bytesPerRow: 4 * part.width, part: part, scale: scale)
            raster.drawPaper(of: page, into: target)
            for stroke in page.strokes { raster.draw(stroke, into: target) }
        }
        figures.redraw = LoopGaps.thread - start
    }

    private func measurePoints() {
        let hand = InkHand(on: canvas.widget)
        for index in 0..<50 {
            hand.write(
                60, atX: 80 + Double(index % 10) * 60, y: 60 + Double(index / 10) * 150, seed: index)
        }
        figures.point = hand.motions.mean
        figures.pointP99 = hand.motions.part(0.99)
    }

    /// A thousand movements per second. Those that are due while the loop is busy are delivered together.
    private func measureMotions() async {
        let hand = InkHand(on: canvas.widget)
        let before = canvas.editor.ink.strokeCount
        hand.down(100, 100)
        let start = LoopGaps.wall
        var (sent, waiting): (Int, [Double]) = (0, [])
        let timer = LoopTimer(seconds: 0.001, repeats: true) { [unowned self] in
            while sent < 1000, LoopGaps.wall - start > Double(sent) {
                let angle = Double(sent) / 20
                hand.move(
                    400 + cos(angle) * 200 + Double(sent) / 50, 400 + sin(angle) * (100 + Double(sent) / 10), step: 1)
                waiting.append(start + Double(sent))
                sent += 1
            }
            _ = self
        }
        whenPainted = { [unowned self] in
            let now = LoopGaps.wall
            figures.latencies += waiting.map { now - $0 }
            waiting = []
        }
        while sent < 1000 { await frame() }
        await frame()
        timer.stop()
        hand.up(500, 500)
        hand.pause()
        whenPainted = nil
        let strokes = canvas.editor.ink.pages[0].strokes
        // The first point is the point of the press.
        figures.arrived = strokes.count > before ? strokes[strokes.count - 1].points.count - 1 : 0
    }

    private func measureUndo() async {
        let hand = InkHand(on: canvas.widget)
        let (bytes, count) = (canvas.editor.historyBytes, 50)
        for index in 0..<count {
            hand.write(60, atX: 80 + Double(index * 37 % 600), y: 60 + Double(index * 17), seed: index)
        }
        figures.undoBytes = (canvas.editor.historyBytes - bytes) / count
        for _ in 0..<count {
            let start = LoopGaps.thread
            canvas.undo()
            while !canvas.isComplete { _ = g_main_context_iteration(nil, 1) }
            figures.undos.append(LoopGaps.thread - start)
            await frame()
        }
    }

    /// The stroke continues meanwhile.
    private func measureSaving() async {
        let hand = InkHand(on: canvas.widget)
        for round in 0..<10 {
            hand.write(60, atX: 200, y: 100 + Double(round) * 20, seed: round)
            let gaps = LoopGaps()
            let saved = saves.count
            let start = LoopGaps.thread
            canvas.save()
            figures.saveCalls.append(LoopGaps.thread - start)
            while saves.count == saved { await frame() }
            gaps.stop()
            figures.saveBlocks += gaps.processor
            figures.saveBlocksWall += gaps.all
        }
    }
}
