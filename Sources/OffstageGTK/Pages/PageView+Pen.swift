import CWebKitGTK
import Offstage
import OffstagePages

/// A pen with which a reader draws on pages.
public struct PagePen: Sendable, Hashable {
    public var color: PageAnnotation.Color
    /// Points.
    public var width: Double

    /// Makes a pen.
    ///
    /// - Parameters:
    ///   - color: default dark red.
    ///   - width: points. Default 1.5.
    public init(color: PageAnnotation.Color = .init(red: 170, green: 0, blue: 0), width: Double = 1.5) {
        (self.color, self.width) = (color, width)
    }
}

/// The line under the pen.
struct PageStroke {
    let place: PagePlan.Place
    let pen: PagePen
    /// In parts of the page.
    var points: [PageAnnotation.Point]
    /// Nothing is drawn off screen meanwhile: the pen comes first.
    let lease: SuspensionLease

    var annotation: PageAnnotation? { PageAnnotation.ink([points], color: pen.color, width: pen.width) }
}

/// Ink that the reader draws on pages.
extension PageView {
    /// The time after which drawings go on, even if the end of a line is never reported.
    private static let longestLine = Duration.seconds(10)

    /// The page under a place of the window, and the place in parts of the page, which may be beyond its edges.
    ///
    /// - Parameter page: nil for the page that is there.
    private func point(atX x: Double, y: Double, on page: Int? = nil) -> (page: Int, point: PageAnnotation.Point)? {
        let placed = layout.pages.first { page == nil ? $0.clip.contains(x: x, y: y) : $0.number == page }
        guard let placed, placed.box.width > 0, placed.box.height > 0 else { return nil }
        // More digits only make files longer.
        func rounded(_ part: Double) -> Double { (part * 1e6).rounded() / 1e6 }
        let point = PageAnnotation.Point(
            x: rounded((x - placed.box.x) / placed.box.width), y: rounded((y - placed.box.y) / placed.box.height))
        return (placed.number, point)
    }

    /// The pen goes down.
    ///
    /// - Returns: false beside all pages.
    func beginStroke(_ pen: PagePen, atX x: Double, y: Double) -> Bool {
        guard let (page, point) = point(atX: x, y: y) else { return false }
        stroke = PageStroke(
            place: PagePlan.Place(document: position.document, page: page), pen: pen, points: [point],
            lease: renderer.suspend(for: Self.longestLine))
        canvas.queueDraw()
        return true
    }

    /// The pen moves. A line stays on the page on which it begins.
    func moveStroke(toX x: Double, y: Double) {
        guard let place = stroke?.place, place.document == position.document,
            let (_, point) = point(atX: x, y: y, on: place.page)
        else { return }
        stroke?.points.append(.init(x: min(max(point.x, 0), 1), y: min(max(point.y, 0), 1)))
        canvas.queueDraw()
    }

    /// The pen goes up: the line is the host's.
    func endStroke() {
        guard let stroke else { return }
        self.stroke = nil
        stroke.lease.end()
        canvas.queueDraw()
        guard let annotation = stroke.annotation, let onInk else { return }
        freshInk[stroke.place, default: []].append(annotation)
        onInk(stroke.place, annotation)
    }

    /// Drops the line under the pen.
    func cancelStroke() {
        if stroke == nil { return }
        stroke = nil
        canvas.queueDraw()
    }

    /// The ink that the picture of a page does not show yet.
    func ink(on place: PagePlan.Place) -> [PageAnnotation] {
        var ink = freshInk[place] ?? []
        if let stroke, stroke.place == place, let annotation = stroke.annotation { ink.append(annotation) }
        return ink
    }

    /// Stops painting ink over a page whose new picture shows it.
    func settleInk(of page: DocumentPage, at place: PagePlan.Place) {
        guard let fresh = freshInk[place], let annotations = page.annotations?.annotations else { return }
        // The last ones were made last.
        let shown = Set(annotations.suffix(fresh.count + 64))
        let left = fresh.filter { !shown.contains($0) }
        freshInk[place] = left.isEmpty ? nil : left
    }

    /// Ink that the host has not kept, or has removed, is gone.
    func dropRemovedInk() {
        for (place, fresh) in freshInk {
            let kept = Set(requests.book(place.document)?.annotations[place.page]?.annotations ?? [])
            let left = fresh.filter { kept.contains($0) }
            freshInk[place] = left.isEmpty ? nil : left
        }
    }
}
