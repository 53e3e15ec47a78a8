import Foundation
import OffstageGTK

/// The measurements of the bench for pages.
struct PageFigures: Codable {
    var documents = 0
    var turns = 0
    /// Milliseconds from the window's appearance until the first page was painted.
    var firstPage = 0.0
    /// Milliseconds from when a frame was due until it was painted.
    var frameMedian = 0.0
    var frameP99 = 0.0
    var frameMost = 0.0
    var frames = 0
    var over16 = 0
    /// Frames that showed a different page from the reader's, and frames with empty paper.
    var wrong = 0
    var blank = 0
    /// Frames that showed an enlarged thumbnail, and the longest time without a break, milliseconds.
    var thumbnail = 0
    var thumbnailMost = 0.0
    /// The longest time with empty paper, milliseconds.
    var blankMost = 0.0
    /// Milliseconds from a turn until the frame after the one that showed the page's own picture, for each turn.
    var completeAfter: [Double] = []

    /// Milliseconds that each turn took on the main thread, without the frame.
    var turnTimes: [Double] = []
    /// Milliseconds from the opening of a document, while hundreds of pages waited, until the drawing of its page began.
    var openings: [Double] = []

    private var thumbnailTime = 0.0
    private var blankTime = 0.0

    private enum CodingKeys: String, CodingKey {
        case documents, turns, firstPage, frameMedian, frameP99, frameMost, frames, over16, wrong, blank, thumbnail
        case thumbnailMost, blankMost, completeAfter, turnTimes, openings
    }

    /// - Parameters:
    ///   - expected: the names of the pages that the reader should see.
    ///   - duration: the frame's duration, seconds.
    mutating func look(_ shown: [ShownPage], expected: [String], duration: Double) {
        let names = shown.map(\.identifier)
        if !names.allSatisfy({ $0.isEmpty || expected.contains($0) }) { wrong += 1 }
        let worst = shown.map(\.quality).min() ?? .blank
        blankTime = worst == .blank ? blankTime + duration * 1000 : 0
        thumbnailTime = worst == .thumbnail ? thumbnailTime + duration * 1000 : 0
        if worst == .blank { blank += 1 }
        if worst == .thumbnail { thumbnail += 1 }
        blankMost = max(blankMost, blankTime)
        thumbnailMost = max(thumbnailMost, thumbnailTime)
    }

    @MainActor
    mutating func note(_ log: FrameLog) {
        let times = log.resting.sorted()
        func part(_ part: Double) -> Double { times.isEmpty ? 0 : times[Int(Double(times.count - 1) * part)] }
        (frameMedian, frameP99, frameMost) = (part(0.5), part(0.99), part(1))
        (frames, over16) = (times.count, times.count { $0 > 16.7 })
    }

    var table: String {
        func parts(_ values: [Double]) -> String {
            let sorted = values.sorted()
            if sorted.isEmpty { return "none" }
            return [0.5, 0.99, 1].map { Self.number(sorted[Int(Double(sorted.count - 1) * $0)]) }.joined(
                separator: ", ")
        }
        let lines = [
            ("documents, turns", "\(documents), \(turns)"), ("first page ms", Self.number(firstPage)),
            (
                "frame ms: median, p99, maximum",
                "\(Self.number(frameMedian)), \(Self.number(frameP99)), \(Self.number(frameMost))"
            ),
            ("frames over 16.7 ms", "\(over16) of \(frames)"), ("frames with the wrong page", "\(wrong)"),
            ("frames with empty paper, longest ms", "\(blank), \(Self.number(blankMost))"),
            ("frames with a thumbnail, longest ms", "\(thumbnail), \(Self.number(thumbnailMost))"),
            ("page complete after ms: median, p99, maximum", parts(completeAfter)),
            ("turning a page, without its frame, ms: median, p99, maximum", parts(turnTimes)),
            ("from opening a page until it is first drawn, ms: median, p99, maximum", parts(openings)),
        ]
        let width = lines.map(\.0.count).max() ?? 0
        return lines.map { $0.padding(toLength: width, withPad: " ", startingAt: 0) + "  " + $1 }
            .joined(separator: "\n")
    }

    private static func number(_ value: Double) -> String { String(format: "%.1f", value) }
}
