import CGTK
import Foundation
import Offstage
import OffstageInk

/// The pixels of the visible part of a page: the paper and all finished strokes. Strokes are the source of truth; this
/// is only a cache.
///
/// Small parts are drawn in slices of time on the main thread, and large ones as bands on other threads. Each part equals the same part of
/// the whole page.
@MainActor
final class InkSheet {
    /// Device px of the widget.
    let size: PixelSize
    let bytes: UnsafeMutableRawPointer
    let surface: OpaquePointer
    let raster = InkRaster()
    /// Parts of the page's picture that have to be drawn, with the next item of each.
    var waiting: [Job] = []
    /// The bands that other threads draw.
    var bands: [InkBand.Number: InkPart] = [:]
    var lastBand: InkBand.Number = 0
    /// False to draw everything on the main thread.
    var usesBands = true

    struct Job {
        var part: InkPart
        /// The number of items that are drawn; nil if not even the paper is.
        var next: Int?
        /// True for a job that another thread does.
        var isBand = false
    }

    /// The plane whose strokes the sheet shows, without paper; nil for a sheet with paper and all strokes.
    let plane: InkLeaf.Plane?

    init(size: PixelSize, plane: InkLeaf.Plane? = nil) {
        self.plane = plane
        self.size = PixelSize(width: max(1, size.width), height: max(1, size.height))
        bytes = .allocate(byteCount: 4 * self.size.width * self.size.height, alignment: 16)
        bytes.initializeMemory(as: UInt8.self, repeating: 0, count: 4 * self.size.width * self.size.height)
        surface = cairo_image_surface_create_for_data(
            bytes.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, Int32(self.size.width),
            Int32(self.size.height), Int32(4 * self.size.width))
    }

    isolated deinit {
        cairo_surface_finish(surface)
        cairo_surface_destroy(surface)
        bytes.deallocate()
    }

    var isComplete: Bool { waiting.isEmpty && bands.isEmpty }
    /// True if the main thread has something to draw.
    var hasSmallParts: Bool { waiting.contains { !$0.isBand } }

    /// The sheet's position on the page's picture, and the page's scale: device px per point.
    struct Place: Equatable {
        var x = 0
        var y = 0
        var scale = 1.0
    }

    /// Marks a part to be drawn again.
    func invalidate(_ part: InkPart) {
        if part.width > 0, part.height > 0 { waiting.append(Job(part: part, next: nil)) }
    }

    func invalidateAll(at place: Place) {
        // Bands that are being drawn are no longer of use.
        bands = [:]
        waiting = [Job(part: whole(at: place), next: nil)]
    }

    /// Makes the sheet transparent, with nothing left to draw.
    func clear() {
        (waiting, bands) = ([], [:])
        cairo_surface_flush(surface)
        memset(bytes, 0, 4 * size.width * size.height)
        cairo_surface_mark_dirty(surface)
    }

    func whole(at place: Place) -> InkPart { InkPart(x: place.x, y: place.y, width: size.width, height: size.height) }

    /// Draws until a time on the monotonic clock.
    ///
    /// - Returns: the part that has changed, device px of the page's picture; nil for none.
    func work(_ content: InkSheetContent, at place: Place, until deadline: gint64) -> InkPart? {
        var changed: InkPart?
        while var index = waiting.firstIndex(where: { !$0.isBand }) {
            var job = waiting[index]
            guard let part = job.part.intersection(whole(at: place)) else {
                waiting.remove(at: index)
                continue
            }
            if job.next == nil {
                waiting.remove(at: index)
                beginAnew(over: part)
                drawPaper(part, content, at: place)
                changed = changed?.union(part) ?? part
                if isLarge(part, content) {
                    addBands(part, next: 0)
                    continue
                }
                job.next = 0
                waiting.insert(job, at: 0)
                index = 0
            }
            let target = target(part, at: place, isDark: content.isDark)
            cairo_surface_flush(surface)
            let box = part.box(scale: place.scale)
            var next = job.next ?? 0
            while next < content.items.count {
                if content.boxes[next]?.intersects(box) == true, let stroke = content.items[next].stroke,
                    plane?.has(stroke) ?? true
                {
                    raster.draw(stroke, into: target)
                    if g_get_monotonic_time() > deadline {
                        next += 1
                        break
                    }
                }
                next += 1
            }
            cairo_surface_mark_dirty(surface)
            changed = changed?.union(part) ?? part
            if next < content.items.count {
                waiting[index].next = next
                return changed
            }
            waiting.remove(at: index)
            if g_get_monotonic_time() > deadline { break }
        }
        return changed
    }

    /// Draws a stroke on top of everything.
    func add(_ stroke: Stroke, extra: [InkPoint] = [], part: InkPart, at place: Place, isDark: Bool) {
        guard let part = part.intersection(whole(at: place)) else { return }
        cairo_surface_flush(surface)
        raster.draw(stroke, extra: extra, into: target(part, at: place, isDark: isDark))
        cairo_surface_mark_dirty(surface)
    }

    /// Copies a part of another sheet with the same size and position.
    func copy(_ part: InkPart, from other: InkSheet, at place: Place) {
        guard let part = part.intersection(whole(at: place)), other.size == size else { return }
        cairo_surface_flush(surface)
        for y in 0..<part.height {
            let start = 4 * ((part.y - place.y + y) * size.width + part.x - place.x)
            (bytes + start).copyMemory(from: other.bytes + start, byteCount: 4 * part.width)
        }
        cairo_surface_mark_dirty(surface)
    }

    /// Moves the picture, and marks what became visible.
    func move(from old: Place, to new: Place) {
        let (x, y) = (new.x - old.x, new.y - old.y)
        guard old.scale == new.scale, abs(x) < size.width, abs(y) < size.height else { return invalidateAll(at: new) }
        cairo_surface_flush(surface)
        let (width, height) = (size.width - abs(x), size.height - abs(y))
        let rows = y >= 0 ? Array(0..<height) : (0..<height).reversed()
        for row in rows {
            let (from, to) = (row + max(0, y), row + max(0, -y))
            memmove(
                bytes + 4 * (to * size.width + max(0, -x)), bytes + 4 * (from * size.width + max(0, x)), 4 * width)
        }
        cairo_surface_mark_dirty(surface)
        if y != 0 {
            invalidate(InkPart(x: new.x, y: y > 0 ? new.y + height : new.y, width: size.width, height: abs(y)))
        }
        if x != 0 {
            invalidate(InkPart(x: x > 0 ? new.x + width : new.x, y: new.y, width: abs(x), height: size.height))
        }
    }

    /// Restarts a half-drawn part, which would otherwise be drawn twice. It moves behind the others, so that each is
    /// finished once.
    func beginAnew(over part: InkPart) {
        let half = waiting.filter { $0.next != nil && $0.part.intersection(part) != nil }
        if half.isEmpty { return }
        waiting.removeAll { $0.next != nil && $0.part.intersection(part) != nil }
        waiting += half.map { Job(part: $0.part, next: nil) }
    }

    func drawPaper(_ part: InkPart, _ content: InkSheetContent, at place: Place) {
        cairo_surface_flush(surface)
        if plane != nil {
            for y in 0..<part.height {
                memset(bytes + 4 * ((part.y - place.y + y) * size.width + part.x - place.x), 0, 4 * part.width)
            }
            return cairo_surface_mark_dirty(surface)
        }
        content.drawPaper(raster, target(part, at: place, isDark: content.isDark), surface, place)
        cairo_surface_mark_dirty(surface)
    }

    private func target(_ part: InkPart, at place: Place, isDark: Bool) -> InkRaster.Target {
        InkRaster.Target(
            pixels: bytes + 4 * ((part.y - place.y) * size.width + part.x - place.x), bytesPerRow: 4 * size.width,
            part: part, scale: place.scale, isDark: isDark)
    }
}

/// The contents of a sheet.
@MainActor
struct InkSheetContent {
    var page: InkPage
    /// From bottom to top, with their bounds.
    var items: [InkItem]
    var boxes: [InkBox?]
    /// The picture under the ink; nil for the page's paper.
    var backdrop: Offstage.Pixmap?

    /// - Parameter number: the number of an existing page.
    init(_ editor: inout InkEditor, page number: Int, backdrop: Offstage.Pixmap?) {
        page = editor.ink.pages[number]
        self.backdrop = backdrop
        items = page.layers.flatMap(\.items)
        boxes = editor.boxes(ofPage: number).flatMap(\.self)
    }

    var isDark: Bool { page.isDark }

    fileprivate func drawPaper(
        _ raster: InkRaster, _ target: InkRaster.Target, _ surface: OpaquePointer, _ place: InkSheet.Place
    ) {
        raster.drawPaper(of: page, into: target)
        clearOutside(target, place)
        guard let backdrop else { return }
        let image = cairo_image_surface_create_for_data(
            UnsafeMutablePointer(mutating: backdrop.address.assumingMemoryBound(to: UInt8.self)),
            CAIRO_FORMAT_ARGB32, Int32(backdrop.size.width), Int32(backdrop.size.height), Int32(backdrop.bytesPerRow))
        cairo_surface_mark_dirty(surface)
        let context = cairo_create(surface)
        let part = target.part
        cairo_rectangle(
            context, Double(part.x - place.x), Double(part.y - place.y), Double(part.width), Double(part.height))
        cairo_clip(context)
        cairo_translate(context, Double(-place.x), Double(-place.y))
        cairo_scale(
            context, Double(page.width) * place.scale / Double(backdrop.size.width),
            Double(page.height) * place.scale / Double(backdrop.size.height))
        cairo_set_source_surface(context, image, 0, 0)
        cairo_paint(context)
        cairo_destroy(context)
        cairo_surface_destroy(image)
        cairo_surface_flush(surface)
    }

    /// Clears the pixels beyond the page's edges.
    private func clearOutside(_ target: InkRaster.Target, _ place: InkSheet.Place) {
        let part = target.part
        let right = Int((Double(page.width) * place.scale).rounded())
        let bottom = Int((Double(page.height) * place.scale).rounded())
        for y in part.y..<(part.y + part.height) {
            let row = target.pixels + (y - part.y) * target.bytesPerRow
            func clear(_ range: Range<Int>) {
                let range = range.clamped(to: part.x..<(part.x + part.width))
                if range.isEmpty { return }
                memset(row + 4 * (range.lowerBound - part.x), 0, 4 * range.count)
            }
            if y < 0 || y >= bottom {
                clear(part.x..<(part.x + part.width))
            } else {
                clear(min(part.x, 0)..<0)
                clear(right..<max(right, part.x + part.width))
            }
        }
    }
}

extension InkPart {
    /// The common part; nil if there is none.
    func intersection(_ other: InkPart) -> InkPart? {
        let (left, top) = (max(x, other.x), max(y, other.y))
        let (right, bottom) = (min(x + width, other.x + other.width), min(y + height, other.y + other.height))
        return left < right && top < bottom ? InkPart(x: left, y: top, width: right - left, height: bottom - top) : nil
    }

    func union(_ other: InkPart) -> InkPart {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return InkPart(
            x: left, y: top, width: max(x + width, other.x + other.width) - left,
            height: max(y + height, other.y + other.height) - top)
    }

    /// The part in points of the page, with one pixel more on each side.
    func box(scale: Double) -> InkBox {
        InkBox(
            left: Float(Double(x - 2) / scale), top: Float(Double(y - 2) / scale),
            right: Float(Double(x + width + 2) / scale), bottom: Float(Double(y + height + 2) / scale))
    }
}
