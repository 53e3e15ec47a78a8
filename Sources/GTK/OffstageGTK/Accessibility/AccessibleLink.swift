import Offstage

/// A link of a row, for assistive technology. A link over several lines has several areas, and is one link.
struct AccessibleLink: Equatable {
    var target: String
    /// The words of the link; the target if it has none.
    var name: String
    /// At least one, in the order of its lines.
    var areas: [PictureArea]
    /// The range of its words in the row's text, in Unicode scalars; nil if they are not in it.
    var range: Range<Int>?

    /// The box around all areas.
    var box: PictureArea { areas.dropFirst().reduce(areas[0]) { $0.united(with: $1) } }

    /// The links of a picture.
    ///
    /// - Parameter text: the row's text.
    static func links(in areas: [PictureArea], text: String) -> [AccessibleLink] {
        var links: [AccessibleLink] = []
        let words = text.unicodeScalars
        var (end, position) = (words.startIndex, 0)
        for (index, area) in areas.enumerated() {
            guard let target = area.target else { continue }
            if index > 0, areas[index - 1].continues(area), let last = links.indices.last {
                links[last].areas.append(area)
                continue
            }
            var link = AccessibleLink(target: target, name: area.label ?? target, areas: [area])
            // Links are in text order, so each one follows the previous one.
            if let found = area.label.flatMap({ words[end...].firstRange(of: $0.unicodeScalars) }) {
                let start = position + words.distance(from: end, to: found.lowerBound)
                position = start + words.distance(from: found.lowerBound, to: found.upperBound)
                link.range = start..<position
                end = found.upperBound
            }
            links.append(link)
        }
        return links
    }
}

extension PictureArea {
    /// True if the next area is probably a further line of the same link.
    fileprivate func continues(_ other: PictureArea) -> Bool {
        target == other.target && label == other.label && identifier == other.identifier
    }

    fileprivate func united(with other: PictureArea) -> PictureArea {
        let (right, bottom) = (max(x + width, other.x + other.width), max(y + height, other.y + other.height))
        let (left, top) = (min(x, other.x), min(y, other.y))
        return PictureArea(x: left, y: top, width: right - left, height: bottom - top)
    }
}
