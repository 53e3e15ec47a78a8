import Offstage

/// The rows of a list that matter at its current position.
package struct ListWindow: Equatable {
    /// The rows that are at least partly visible.
    package var visible = 0..<0
    /// The visible rows and those within half a screen on each side, which become visible before a picture could be
    /// fetched.
    package var near = 0..<0
    /// The rows that come next in the direction of travel, without the near ones.
    package var ahead = 0..<0
    package var travel = Travel.forward

    package init() {}

    /// - Parameters:
    ///   - top: the top of the screen, px from the list's top.
    ///   - height: the height of the screen, px.
    ///   - screens: the number of screens to look ahead.
    package init(_ layout: some VerticalLayout, top: Int, height: Int, travel: Travel, screens: Double) {
        self.travel = travel
        visible = layout.items(from: top, to: top + height)
        near = layout.items(from: top - height / 2, to: top + height + height / 2)
        let way = Int(Double(height) * max(0, screens))
        switch travel {
        case .forward:
            let rows = layout.items(from: top + height, to: top + height + way)
            ahead = max(rows.lowerBound, near.upperBound)..<max(rows.upperBound, near.upperBound)
        case .backward:
            let rows = layout.items(from: top - way, to: top)
            ahead = min(rows.lowerBound, near.lowerBound)..<min(rows.upperBound, near.lowerBound)
        }
        // At the end of the list.
        if ahead.isEmpty { ahead = near.upperBound..<near.upperBound }
    }

    /// The rows ahead, nearest first.
    package var aheadInOrder: [Int] { travel == .forward ? Array(ahead) : ahead.reversed() }
}
