import CGTK
import Offstage
import OffstageInk
import OffstagePages

/// A pen with which a reader draws on pages: a brush of an `InkCanvas` over them.
public struct PagePen: Sendable, Hashable {
    public var brush: InkBrush

    /// Makes a pen.
    ///
    /// - Parameter brush: the tool, such as `.highlighter`.
    public init(_ brush: InkBrush) { self.brush = brush }

    /// Makes a pen whose width follows the pressure.
    ///
    /// - Parameters:
    ///   - color: default dark red.
    ///   - width: points, at nominal pressure. Default 1.5.
    public init(color: PageAnnotation.Color = .init(red: 170, green: 0, blue: 0), width: Double = 1.5) {
        brush = InkBrush(
            .pen, color: InkColor(red: color.red, green: color.green, blue: color.blue), width: Float(width))
        brush.dynamics = .pressure
    }
}

/// Ink that the reader draws on pages.
extension PageView {
    /// The time after which drawings resume, even if the end of a stroke is never reported.
    private static let longestLine = Duration.seconds(10)

    /// Replaces the canvas of the old pen with one for the new pen, if there is one.
    func penChanged() {
        penCanvas?.detach()
        penCanvas = nil
        penLease?.end()
        penLease = nil
        placeInk()
    }

    /// Lays a canvas over the pages of the document that is shown.
    func preparePen() {
        guard let pen, isOpen else { return }
        let pages = requests.book(position.document)?.pages ?? []
        if penCanvas == nil || penDocument != position.document || penCanvas?.pageCount != pages.count {
            penCanvas?.detach()
            penDocument = position.document
            let ink = Ink(pages: pages.map { InkPage(width: Float($0.width), height: Float($0.height)) })
            let made = InkCanvas(over: canvas.inner, InkEditor(ink))
            // The host receives each stroke at once, so the host handles undo.
            made.takesKeys = false
            made.eraser = .draw
            made.onPen = { [weak self] in self?.penMoved(isDown: $0) }
            made.onChange = { [weak self] in self?.takeStroke(page: $0) }
            penCanvas = made
        }
        penCanvas?.brush = isDark ? pen.brush.inDarkRoom : pen.brush
    }

    /// Suspends off-screen drawings while the pen is down, because the pen has priority.
    private func penMoved(isDown: Bool) {
        penLease?.end()
        penLease = isDown ? renderer.suspend(for: Self.longestLine) : nil
    }

    /// Passes a finished stroke to the host.
    private func takeStroke(page: Int) {
        guard let penCanvas, let pen, var stroke = penCanvas.editor.ink.pages[page].strokes.last,
            let book = requests.book(penDocument), book.pages.indices.contains(page)
        else { return }
        penCanvas.forget(page: page)
        stroke.color = pen.brush.color
        let size = book.pages[page]
        guard let onInk, let annotation = stroke.annotation(width: size.width, height: size.height) else { return }
        let place = PagePlan.Place(document: penDocument, page: page + 1)
        freshInk[place, default: []].append(annotation)
        canvas.queueDraw()
        onInk(place, annotation)
    }

    /// The ink that is not yet in the picture of a page.
    func ink(on place: PagePlan.Place) -> [PageAnnotation] { freshInk[place] ?? [] }

    /// Stops painting ink over a page whose new picture shows it.
    func settleInk(of page: DocumentPage, at place: PagePlan.Place) {
        guard let fresh = freshInk[place], let annotations = page.annotations?.annotations else { return }
        // The newest ones are at the end.
        let shown = Set(annotations.suffix(fresh.count + 64))
        let left = fresh.filter { !shown.contains($0) }
        freshInk[place] = left.isEmpty ? nil : left
    }

    /// Removes ink that the host has not kept or has removed.
    func dropRemovedInk() {
        for (place, fresh) in freshInk {
            let kept = Set(requests.book(place.document)?.annotations[place.page]?.annotations ?? [])
            let left = fresh.filter { kept.contains($0) }
            freshInk[place] = left.isEmpty ? nil : left
        }
    }
}

extension InkBrush {
    /// The brush with inverted lightness and the same hue, like the pages' pictures.
    fileprivate var inDarkRoom: InkBrush {
        var brush = self
        let channels = [color.red, color.green, color.blue].map { Int($0) }
        let shift = 255 - (channels.max() ?? 0) - (channels.min() ?? 0)
        func shifted(_ value: UInt8) -> UInt8 { UInt8(clamping: Int(value) + shift) }
        brush.color = InkColor(
            red: shifted(color.red), green: shifted(color.green), blue: shifted(color.blue), opacity: color.opacity)
        return brush
    }
}
