import Foundation

/// The measurements of one kind of list view.
struct BrowseFigures: Codable {
    /// The display name.
    var name: String
    /// Milliseconds from the view's creation until all visible rows are complete for the first time, including the
    /// start of the processes that draw. Nil if nothing is drawn.
    var firstScreen: Double?
    /// Milliseconds from when a frame was due until it was painted, while the list scrolls.
    var frameMedian: Double
    var frameP99: Double
    var frameMost: Double
    var frames: Int
    /// The number of frames that took more than 16.7 and 33 ms.
    var over16: Int
    var over33: Int
    /// Milliseconds from the end of a movement until all visible rows are complete: the median and the maximum of all
    /// rests. If the rows were never complete, the whole duration of the rest counts.
    var completeMedian: Double
    var completeMost: Double
    /// Milliseconds from a jump to another position in the list until one of the rows there shows its picture or
    /// thumbnail: the median and the maximum. Nil if nothing is drawn.
    var jumpMedian: Double?
    var jumpMost: Double?
    /// Fractions of the visible rows, in rows times frames.
    var full: Double
    var thumbnail: Double
    var placeholder: Double
    /// The same, in rows times frames, for each part of the script.
    var seen: [Seen]
    /// The size of pictures in memory, and its limit, MB.
    var pictures: Int
    var picturesLimit: Int
    /// The maximum memory of all processes together, MB; shared memory is divided among them.
    var memory: Int
    var drawn: Int

    struct Seen: Codable {
        var part: String
        var full = 0
        var thumbnail = 0
        var neither = 0

        init(part: String) { self.part = part }
    }

    static func table(_ all: [BrowseFigures]) -> String {
        let titles = [
            "", "frame ms: median", "p99", "maximum", "over 16.7", "over 33", "first screen ms", "complete after ms",
            "maximum",
            "after a jump ms", "maximum", "full", "thumbnail",
            "neither", "pictures MB", "memory MB", "drawn",
        ]
        let rows = all.map { one in
            [
                one.name, number(one.frameMedian, 1), number(one.frameP99, 1), number(one.frameMost, 1),
                "\(one.over16) of \(one.frames)", "\(one.over33)", one.firstScreen.map { number($0, 0) } ?? "",
                number(one.completeMedian, 0), number(one.completeMost, 0), one.jumpMedian.map { number($0, 0) } ?? "",
                one.jumpMost.map { number($0, 0) } ?? "",
                percent(one.full), percent(one.thumbnail), percent(one.placeholder),
                "\(one.pictures) of \(one.picturesLimit)",
                "\(one.memory)", "\(one.drawn)",
            ]
        }
        // One line per figure and one column per way fit a terminal.
        let columns = [titles] + rows
        let widths = columns.map { $0.map(\.count).max() ?? 0 }
        return titles.indices.map { line in
            columns.indices.map { column in
                let text = columns[column][line]
                let space = String(repeating: " ", count: widths[column] - text.count)
                return column == 0 ? text + space : space + text
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    private static func number(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }
    private static func percent(_ part: Double) -> String { String(format: "%.1f %%", part * 100) }
}
