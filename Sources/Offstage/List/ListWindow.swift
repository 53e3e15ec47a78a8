/// Which rows of a list matter where it stands now.
package struct ListWindow: Equatable {
    /// In sight, be it in part.
    package var visible = 0..<0
    /// These, and those within half a screen on each side, which are in sight before a picture could be fetched.
    package var near = 0..<0
    /// Those that come next in the direction of travel; none of the others.
    package var ahead = 0..<0
    package var travel = Travel.forward

    package init() {}

    /// - Parameters:
    ///   - top: of the screen, px from the list's top.
    ///   - height: of the screen, px.
    ///   - screens: how far to look ahead.
    package init(_ heights: RowHeights, top: Int, height: Int, travel: Travel, screens: Double) {
        self.travel = travel
        visible = heights.rows(from: top, to: top + height)
        near = heights.rows(from: top - height / 2, to: top + height + height / 2)
        let way = Int(Double(height) * max(0, screens))
        switch travel {
        case .forward:
            let rows = heights.rows(from: top + height, to: top + height + way)
            ahead = max(rows.lowerBound, near.upperBound)..<max(rows.upperBound, near.upperBound)
        case .backward:
            let rows = heights.rows(from: top - way, to: top)
            ahead = min(rows.lowerBound, near.lowerBound)..<min(rows.upperBound, near.lowerBound)
        }
        // Where nothing lies ahead.
        if ahead.isEmpty { ahead = near.upperBound..<near.upperBound }
    }

    /// The nearest first.
    package var aheadInOrder: [Int] { travel == .forward ? Array(ahead) : ahead.reversed() }
}
