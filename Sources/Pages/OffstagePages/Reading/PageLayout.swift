/// The scale at which a page is shown before the reader zooms.
public enum PageScaling: String, Sendable, Hashable, CaseIterable {
    /// All visible pages fit into the window.
    case fitPage
    /// The visible pages are as wide as the window; the reader scrolls down.
    case fitWidth
}

/// The positions of the visible pages, in GTK px from the window's upper left corner.
package struct PageLayout: Sendable, Equatable {
    /// A page to lay out.
    package struct Page: Sendable, Equatable {
        package var number: Int
        /// Points.
        package var width: Double
        package var height: Double
        /// The part to show: the page without its margins, or all of it.
        package var part: PagePart

        package init(number: Int, width: Double, height: Double, part: PagePart = .whole) {
            (self.number, self.part) = (number, part)
            // A damaged page can have any size.
            self.width = width.isFinite ? min(max(width, 1), 1e6) : 612
            self.height = height.isFinite ? min(max(height, 1), 1e6) : 792
        }

        fileprivate var shownWidth: Double { width * max(part.width, 0.01) }
        fileprivate var shownHeight: Double { height * max(part.height, 0.01) }
    }

    /// A page with its position.
    package struct Placed: Sendable, Equatable {
        package var number: Int
        /// The box of the whole page.
        package var box: Box
        /// The part of the window that the page may cover.
        package var clip: Box
    }

    package struct Box: Sendable, Equatable {
        package var x, y, width, height: Double

        package init(x: Double, y: Double, width: Double, height: Double) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }

        package var right: Double { x + width }
        package var bottom: Double { y + height }

        package func intersection(_ other: Box) -> Box? {
            let (left, top) = (max(x, other.x), max(y, other.y))
            let (right, bottom) = (min(right, other.right), min(bottom, other.bottom))
            return left < right && top < bottom ? Box(x: left, y: top, width: right - left, height: bottom - top) : nil
        }

        package func contains(x: Double, y: Double) -> Bool { x >= self.x && x < right && y >= self.y && y < bottom }
    }

    /// The window's size, GTK px.
    package var window: (width: Double, height: Double)
    /// Device px per GTK px. Boxes are on whole device px.
    package var deviceScale = 1.0
    package var scaling = PageScaling.fitPage
    package var zoom = 1.0
    /// GTK px between two pages side by side.
    package var gap = 4.0
    /// From the upper left corner of the pages to that of the window, GTK px.
    package var pan: (x: Double, y: Double) = (0, 0)
    package private(set) var pages: [Placed] = []
    /// The size of all visible pages, GTK px.
    package private(set) var content: (width: Double, height: Double) = (0, 0)

    package init(width: Double, height: Double) { window = (max(1, width), max(1, height)) }

    package static func == (left: Self, right: Self) -> Bool {
        left.window == right.window && left.pages == right.pages && left.zoom == right.zoom
    }

    /// GTK px per point before the zoom.
    package func fitScale(_ pages: [Page]) -> Double {
        let width = pages.reduce(0) { $0 + $1.shownWidth }
        let height = pages.map(\.shownHeight).max() ?? 1
        let across = max(1, window.width - gap * Double(max(0, pages.count - 1))) / max(width, 1)
        return scaling == .fitWidth ? across : min(across, window.height / max(height, 1))
    }

    private func whole(_ value: Double) -> Double { (value * deviceScale).rounded() / deviceScale }

    /// Lays out pages: one, or two side by side.
    package mutating func place(_ pages: [Page]) {
        let scale = fitScale(pages) * zoom
        let gaps = gap * Double(max(0, pages.count - 1))
        content = (
            pages.reduce(0) { $0 + $1.shownWidth } * scale + gaps, (pages.map(\.shownHeight).max() ?? 0) * scale
        )
        clampPan()
        var x = content.width <= window.width ? (window.width - content.width) / 2 : -pan.x
        let top = content.height <= window.height ? (window.height - content.height) / 2 : -pan.y
        self.pages = pages.map { page in
            let (width, height) = (page.width * scale, page.height * scale)
            let y = top + (content.height - page.shownHeight * scale) / 2
            let box = Box(
                x: whole(x - page.part.x * width), y: whole(y - page.part.y * height), width: whole(width),
                height: whole(height))
            let clip = Box(x: x, y: y, width: page.shownWidth * scale, height: page.shownHeight * scale)
            x += page.shownWidth * scale + gap
            return Placed(number: page.number, box: box, clip: clip)
        }
    }

    /// Lays out a half-page turn: the upper half of the next page above the lower half of a page. Both halves have the
    /// same position as when their page is shown alone.
    package mutating func placeHalves(of page: Page, next: Page) {
        let middle = window.height / 2
        var upper = self
        upper.place([next])
        place([page])
        let screens = [
            Box(x: 0, y: middle, width: window.width, height: middle),
            Box(x: 0, y: 0, width: window.width, height: middle),
        ]
        pages = zip(pages + upper.pages, screens).compactMap { placed, screen in
            placed.clip.intersection(screen).map { Placed(number: placed.number, box: placed.box, clip: $0) }
        }
    }

    /// The maximum pan, GTK px.
    package var mostPan: (x: Double, y: Double) {
        (max(0, content.width - window.width), max(0, content.height - window.height))
    }

    package mutating func clampPan() {
        let most = mostPan
        pan = (min(max(0, pan.x), most.x), min(max(0, pan.y), most.y))
    }

    /// The pan that keeps a point of the window on the same point of the pages while the zoom changes.
    ///
    /// - Parameter content: the size before the change.
    package mutating func keep(x: Double, y: Double, content old: (width: Double, height: Double)) {
        func part(_ place: Double, _ pan: Double, _ size: Double, _ window: Double) -> Double {
            size <= 0 ? 0 : size <= window ? (place - (window - size) / 2) / size : (place + pan) / size
        }
        let (across, down) = (part(x, pan.x, old.width, window.width), part(y, pan.y, old.height, window.height))
        pan = (across * content.width - x, down * content.height - y)
        clampPan()
    }

    /// The page at a point of the window, and the point on it; nil beside the pages.
    package func place(atX x: Double, y: Double) -> (page: Int, x: Double, y: Double)? {
        guard let placed = pages.last(where: { $0.clip.contains(x: x, y: y) }) else { return nil }
        return (placed.number, (x - placed.box.x) / placed.box.width, (y - placed.box.y) / placed.box.height)
    }

    /// The box of a part of a visible page; nil for a page that is not visible.
    package func box(of part: PagePart, page: Int) -> Box? {
        guard let placed = pages.first(where: { $0.number == page }) else { return nil }
        return Box(
            x: placed.box.x + part.x * placed.box.width, y: placed.box.y + part.y * placed.box.height,
            width: part.width * placed.box.width, height: part.height * placed.box.height)
    }
}
