import COffstageInk

/// A line of paper, points.
struct PaperLine: Hashable {
    var x1, y1, x2, y2, width: Float
    var color: InkColor
    /// False if it ends exactly at its end points.
    var isRound: Bool

    private init(_ line: offstage_ink_paper_line) {
        (x1, y1, x2, y2) = (Float(line.x1), Float(line.y1), Float(line.x2), Float(line.y2))
        width = Float(line.width)
        color = InkColor(red: line.color.0, green: line.color.1, blue: line.color.2)
        isRound = line.is_round
    }

    private final class Lines {
        var lines: [PaperLine] = []
    }

    /// The lines of a page's paper, as pictures show them, from bottom to top.
    static func lines(of page: InkPage) -> [PaperLine] {
        let found = Lines()
        var head = InkRecords.head(of: page)
        let take: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<offstage_ink_paper_line>?) -> Void = {
            guard let context = $0, let line = $1?.pointee else { return }
            Unmanaged<Lines>.fromOpaque(context).takeUnretainedValue().lines.append(PaperLine(line))
        }
        withExtendedLifetime(found) {
            offstage_ink_paper_lines(&head, take, Unmanaged.passUnretained(found).toOpaque())
        }
        return found.lines
    }
}
