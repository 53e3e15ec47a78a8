import Foundation

/// What one way to show a list came to.
struct BrowseFigures: Codable {
    /// What is compared, in words.
    var name: String
    /// Milliseconds from when a frame was due until it was painted, while the list scrolls.
    var frameMedian: Double
    var frameP99: Double
    var frameMost: Double
    var frames: Int
    /// Frames that took more than 16.7 and 33 ms.
    var over16: Int
    var over33: Int
    /// Milliseconds until all rows in sight are complete, once the list rests: of its rests the median and the longest. A rest in which
    /// they never were counts whole.
    var completeMedian: Double
    var completeMost: Double
    /// Parts of what was in sight, counted in rows times frames.
    var full: Double
    var thumbnail: Double
    var placeholder: Double
    /// MB, of pictures in memory, and what they may have.
    var pictures: Int
    var picturesLimit: Int
    /// MB that all processes take together, shared parts divided, at the most.
    var memory: Int
    var drawn: Int

    static func table(_ all: [BrowseFigures]) -> String {
        let titles = [
            "", "frame ms: median", "p99", "most", "over 16.7", "over 33", "complete after ms", "most", "full",
            "thumbnail",
            "neither", "pictures MB", "memory MB", "drawn",
        ]
        let rows = all.map { one in
            [
                one.name, number(one.frameMedian, 1), number(one.frameP99, 1), number(one.frameMost, 1),
                "\(one.over16) of \(one.frames)", "\(one.over33)", number(one.completeMedian, 0),
                number(one.completeMost, 0),
                percent(one.full), percent(one.thumbnail), percent(one.placeholder),
                "\(one.pictures) of \(one.picturesLimit)",
                "\(one.memory)", "\(one.drawn)",
            ]
        }
        // A figure a line, a way a column: that fits a terminal.
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
