import Foundation

/// The measurements of the bench for ink. Times are milliseconds; those of single calls are processor time of the main thread.
struct InkFigures: Codable {
    var strokes = 0
    /// Since the window appeared: the first frame, the first one with strokes, everything read, and everything painted.
    var firstPaint = 0.0
    var firstStrokes = 0.0
    var loaded = 0.0
    var allStrokes = 0.0
    /// The longest time in which the main loop ran nothing else, and the processor time within it.
    var openingBlock = 0.0
    var openingBlockProcessor = 0.0
    /// Processor time of all threads of this process.
    var openingProcessor = 0.0
    /// The visible part of the page, drawn on one thread.
    var redraw = 0.0
    /// A motion of the pen.
    var point = 0.0
    var pointP99 = 0.0
    /// Of 1,000 movements in a second: the number that reached the stroke, and the time from each until it was painted.
    var arrived = 0
    var latencies: [Double] = []
    var undos: [Double] = []
    /// The history's size for a stroke of 60 points.
    var undoBytes = 0
    /// The time of each call of `save`, and the main loop's blocks while the file is written, as processor time and as
    /// elapsed time.
    var saveCalls: [Double] = []
    var saveBlocks: [Double] = []
    var saveBlocksWall: [Double] = []
    /// MiB of this process after each tenth of two hours of writing.
    var memory: [Double] = []

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    var table: String {
        var lines = [
            ("strokes", "\(strokes)"), ("first paint ms", Self.number(firstPaint)),
            ("first strokes ms", Self.number(firstStrokes)), ("read ms", Self.number(loaded)),
            ("all strokes ms", Self.number(allStrokes)),
            (
                "opening: longest block ms, its processor time",
                "\(Self.number(openingBlock)), \(Self.number(openingBlockProcessor))"
            ), ("opening: processor time ms", Self.number(openingProcessor)),
        ]
        if memory.isEmpty {
            lines += pens
        } else {
            lines.append(("memory MiB", memory.map(Self.number).joined(separator: ", ")))
        }
        let width = lines.map(\.0.count).max() ?? 0
        return lines.map { $0.padding(toLength: width, withPad: " ", startingAt: 0) + "  " + $1 }
            .joined(separator: "\n")
    }

    private var pens: [(String, String)] {
        [
            ("page redraw ms", Self.number(redraw)),
            (
                "live point ms: mean, p99; redraws",
                "\(Self.number(point)), \(Self.number(pointP99)); 1/"
                    + Self.number(point > 0 ? (redraw / point).rounded() : 0)
            ), ("motions at 1 kHz that arrived", "\(arrived) of 1000"),
            (
                "motion to paint ms: median, p99",
                "\(Self.number(latencies.part(0.5))), \(Self.number(latencies.part(0.99)))"
            ),
            (
                "undo ms: median, maximum; redraws",
                "\(Self.number(undos.part(0.5))), \(Self.number(undos.part(1))); 1/"
                    + Self.number(undos.part(0.5) > 0 ? (redraw / undos.part(0.5)).rounded() : 0)
            ), ("undo bytes of a stroke", "\(undoBytes)"),
            (
                "save call ms: median, maximum",
                "\(Self.number(saveCalls.part(0.5))), \(Self.number(saveCalls.part(1)))"
            ),
            (
                "saving: block ms: p99, maximum; with other programs",
                "\(Self.number(saveBlocks.part(0.99))), \(Self.number(saveBlocks.part(1))); "
                    + "\(Self.number(saveBlocksWall.part(0.99))), \(Self.number(saveBlocksWall.part(1)))"
            ),
        ]
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() ? String(format: "%.0f", value) : String(format: value < 1 ? "%.3f" : "%.1f", value)
    }
}
