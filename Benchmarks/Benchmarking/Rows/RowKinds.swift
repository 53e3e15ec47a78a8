import SeededRandom

/// The project's snippets from which rows are made.
public enum RowKinds {
    /// Snippets that are as high as a list's rows: 112 to 250 CSS px at a width of 400.
    public static let names = [
        "chart-donut", "chart-lines", "chart-sparklines", "code-diff", "code-terminal", "files-rows", "labels-jam",
        "labels-status", "lesson-pinyin", "music-korean", "music-player", "news-arabic", "notification-toast",
        "product-grid", "product-hindi", "product-korean", "product-lamp", "product-mug", "profile-arabic",
        "score-football", "score-stadium", "score-tennis", "settings-rows", "table-glossary", "table-league",
        "table-timetable", "tile-rings", "tile-server", "timeline-parcel", "timeline-serbian", "travel-boarding",
        "travel-chinese", "travel-departures", "weather-korean",
    ]

    /// The rows' file names and documents, in order. The kinds alternate, and the same seed gives the same rows.
    public static func rows(
        of templates: [RowTemplate], count: Int, seed: UInt64 = 4,
        _ body: (_ name: String, _ html: String) throws -> Void
    ) rethrows {
        precondition(!templates.isEmpty)
        var generator = SeededGenerator(seed: seed)
        for number in 0..<count {
            let template = templates[number % templates.count]
            let digits = String(number)
            let padded = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
            try body("\(padded)-\(template.name).html", template.row(number, using: &generator))
        }
    }
}
