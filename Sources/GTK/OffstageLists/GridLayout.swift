/// The positions of a grid's cells: cells of equal size in lines, as many per line as fit, in sections with headings.
/// Px.
///
/// The space above a line belongs to the line, and so does the heading above a section's first line. So every position belongs to a
/// line, and scrolling to a section's first cell shows the heading.
package struct GridLayout: ItemLayout, Equatable {
    /// The sizes, px.
    package struct Metrics: Equatable, Sendable {
        /// The box for a cell's picture. It is smaller if `minimumColumns` would not fit otherwise.
        package var pictureWidth: Int
        package var pictureHeight: Int
        /// On each side of a cell's picture.
        package var padding = 0
        /// The height of the label below the picture.
        package var labelHeight = 0
        /// Between cells, and at the edges.
        package var spacing = 0
        package var headingHeight = 0
        package var minimumColumns = 1

        package init(pictureWidth: Int, pictureHeight: Int) {
            (self.pictureWidth, self.pictureHeight) = (pictureWidth, pictureHeight)
        }
    }

    struct Section: Equatable {
        /// Counting sections without cells.
        var number: Int
        var first: Int
        var count: Int
        /// The height of the heading.
        var lead: Int
        var hasHeading: Bool
        var top = 0
    }

    package let count: Int
    package private(set) var width = 0
    package private(set) var metrics: Metrics
    /// The number of cells in a line, at least 1.
    package private(set) var columns = 1
    /// The box of a picture.
    package private(set) var pictureWidth = 1
    package private(set) var pictureHeight = 1
    package private(set) var total = 0
    /// The sections with cells; the others are not shown.
    private(set) var sections: [Section] = []

    /// - Parameters:
    ///   - count: the number of cells.
    ///   - sections: the number of cells of each section, and whether it has a heading. Cells beyond the last section follow
    ///     without a heading; cells that do not exist are left out.
    package init(count: Int, sections: [(count: Int, hasHeading: Bool)], metrics: Metrics) {
        self.count = max(0, count)
        self.metrics = metrics
        var first = 0
        func add(_ number: Int, _ count: Int, hasHeading: Bool) {
            let count = min(max(0, count), self.count - first)
            if count == 0 { return }
            self.sections.append(Section(number: number, first: first, count: count, lead: 0, hasHeading: hasHeading))
            first += count
        }
        for (number, section) in sections.enumerated() { add(number, section.count, hasHeading: section.hasHeading) }
        add(sections.count, self.count, hasHeading: false)
        place()
    }

    // MARK: Sizes

    package var cellWidth: Int { pictureWidth + 2 * metrics.padding }
    package var cellHeight: Int { pictureHeight + 2 * metrics.padding + metrics.labelHeight }
    /// From the top of one line to the top of the next.
    var pitch: Int { cellHeight + metrics.spacing }

    /// - Returns: true if a picture's box has changed.
    package mutating func setWidth(_ width: Int) -> Bool { set(metrics, width) }

    /// - Returns: true if a picture's box has changed.
    package mutating func setMetrics(_ metrics: Metrics) -> Bool { set(metrics, width) }

    private mutating func set(_ metrics: Metrics, _ width: Int) -> Bool {
        let old = (pictureWidth, pictureHeight)
        (self.metrics, self.width) = (metrics, width)
        place()
        return old != (pictureWidth, pictureHeight)
    }

    private mutating func place() {
        let spacing = max(0, metrics.spacing)
        let wanted = max(1, metrics.pictureWidth) + 2 * metrics.padding
        let fitting = (width - spacing) / (wanted + spacing)
        columns = max(1, metrics.minimumColumns, fitting)
        let room = (width - spacing * (columns + 1)) / columns
        pictureWidth = max(1, min(wanted, room) - 2 * metrics.padding)
        pictureHeight = max(1, metrics.pictureHeight * pictureWidth / max(1, metrics.pictureWidth))
        var top = 0
        for index in sections.indices {
            sections[index].lead = sections[index].hasHeading ? metrics.headingHeight : 0
            sections[index].top = top
            top += sections[index].lead + lines(of: sections[index]) * pitch
        }
        total = count == 0 ? 0 : top + spacing
    }

    private func lines(of section: Section) -> Int { (section.count + columns - 1) / columns }

    // MARK: Positions

    /// The top of an item's line; for `count`, the end of the last line.
    package func top(of item: Int) -> Int {
        guard item < count else { return total }
        let section = section(with: item)
        let line = (item - section.first) / columns
        return line == 0 ? section.top : section.top + section.lead + line * pitch
    }

    package func bottom(of item: Int) -> Int {
        let section = section(with: item)
        let line = (item - section.first) / columns
        let isLast = section.first + min((line + 1) * columns, section.count) >= count
        return isLast ? total : section.top + section.lead + (line + 1) * pitch
    }

    package func items(from top: Int, to bottom: Int) -> Range<Int> {
        guard count > 0, bottom > top, bottom > 0, top < total else { return 0..<0 }
        return line(at: top).lowerBound..<line(at: bottom - 1).upperBound
    }

    package func box(of item: Int) -> ItemBox {
        let section = section(with: item)
        let (line, column) = (item - section.first).quotientAndRemainder(dividingBy: columns)
        return ItemBox(
            x: left(of: column), y: section.top + section.lead + line * pitch + metrics.spacing, width: cellWidth,
            height: cellHeight)
    }

    package func pictureBox(of item: Int) -> ItemBox {
        let box = box(of: item)
        return ItemBox(
            x: box.x + metrics.padding, y: box.y + metrics.padding, width: pictureWidth, height: pictureHeight)
    }

    package func item(atX x: Int, y: Int) -> Int? {
        guard count > 0, y >= 0, y < total else { return nil }
        // There are few enough to try them all. In a narrow grid, cells may reach over its edge.
        guard let column = (0..<columns).first(where: { x >= left(of: $0) && x < left(of: $0) + cellWidth }) else {
            return nil
        }
        let line = line(at: y)
        let item = line.lowerBound + column
        guard line.contains(item) else { return nil }
        let box = box(of: item)
        return y >= box.y && y < box.bottom ? item : nil
    }

    /// The columns share the width that the cells leave free. Each cell is in the middle of its column.
    func left(of column: Int) -> Int {
        let rest = max(0, width - metrics.spacing - columns * (cellWidth + metrics.spacing))
        return metrics.spacing + column * (cellWidth + metrics.spacing) + rest * (2 * column + 1) / (2 * columns)
    }

    // MARK: Lines and sections

    /// The number of the section of an item.
    package func section(of item: Int) -> Int { section(with: item).number }

    func section(with item: Int) -> Section { sections[lastSection { $0.first <= item }] }

    /// The index of the last section that meets a condition; all sections before it meet it, too. The first section if
    /// none does.
    private func lastSection(where holds: (Section) -> Bool) -> Int {
        var (low, high) = (0, sections.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if holds(sections[middle]) { low = middle } else { high = middle }
        }
        return low
    }

    /// The items of the line at a position. Above the grid, those of the first line; below it, those of the last. The
    /// grid must not be empty.
    package func line(at y: Int) -> Range<Int> {
        let section = sections[lastSection { $0.top <= y }]
        let line = min(max(0, (y - section.top - section.lead) / pitch), lines(of: section) - 1)
        let first = section.first + line * columns
        return first..<min(first + columns, section.first + section.count)
    }

    /// The headings that are at least partly between two positions: sections and the tops of their headings.
    package func headings(from top: Int, to bottom: Int) -> [(section: Int, top: Int)] {
        guard count > 0, bottom > top else { return [] }
        let (first, last) = (lastSection { $0.top <= top }, lastSection { $0.top < bottom })
        return sections[first...last].compactMap {
            let isThere = $0.hasHeading && $0.top < bottom && $0.top + $0.lead > top
            return isThere ? ($0.number, $0.top) : nil
        }
    }
}
