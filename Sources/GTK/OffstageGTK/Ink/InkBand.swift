import CGTK
import Foundation
import OffstageInk

/// A band of a sheet and the strokes to draw on it. Another thread draws it.
struct InkBand: Sendable {
    typealias Number = Int

    let number: Number
    /// Device px of the page's picture.
    let part: InkPart
    let scale: Double
    let isDark: Bool
    let strokes: [Stroke]
    /// The number of the page's items that the band contains when it is complete.
    let end: Int
    /// The pixels drawn so far: premultiplied BGRA, without gaps between rows.
    fileprivate(set) var pixels: [UInt8]

    /// Returns the band with its strokes drawn.
    @concurrent
    func drawn() async -> InkBand {
        var band = self
        let raster = InkRaster()
        band.pixels.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            let target = InkRaster.Target(
                pixels: start, bytesPerRow: 4 * part.width, part: part, scale: scale, isDark: isDark)
            for stroke in strokes { raster.draw(stroke, into: target) }
        }
        return band
    }
}

/// The parts of a sheet that are drawn on other threads. The main thread only copies their pixels.
extension InkSheet {
    /// The height of a band, device px: high enough that few strokes are in two bands, and low enough that the first
    /// band is ready soon.
    private static let bandHeight = 128
    /// The number of device px above which a part is large. Smaller parts are drawn on the main thread.
    private static let largePart = 96 * 1024
    /// The main thread draws a part of a page with at most this many items.
    private static let fewItems = 100

    func isLarge(_ part: InkPart, _ content: InkSheetContent) -> Bool {
        usesBands && part.width * part.height > Self.largePart && content.items.count > Self.fewItems
    }

    /// - Parameter next: the number of items that are drawn.
    func addBands(_ part: InkPart, next: Int) {
        for y in stride(from: part.y, to: part.y + part.height, by: Self.bandHeight) {
            let height = min(Self.bandHeight, part.y + part.height - y)
            let band = InkPart(x: part.x, y: y, width: part.width, height: height)
            waiting.append(Job(part: band, next: next, isBand: true))
        }
    }

    /// Marks parts to be drawn after items were added on top: complete parts, and those being drawn, lack them.
    ///
    /// - Parameter first: the number of items before the addition.
    func extend(from first: Int, at place: Place) {
        if isComplete { return addBands(whole(at: place), next: first) }
        let known = waiting.map(\.part) + bands.values
        // Waiting parts are drawn with all items.
        let rest = whole(at: place).split(height: Self.bandHeight).filter { band in
            !known.contains { $0.contains(band) }
        }
        for band in rest {
            if known.contains(where: { $0.intersection(band) != nil }) {
                waiting.append(Job(part: band, next: nil))
            } else {
                waiting.append(Job(part: band, next: first, isBand: true))
            }
        }
    }

    /// Call this after items were removed or replaced: item numbers now refer to other items.
    func restart() {
        for part in bands.values { waiting.append(Job(part: part, next: nil)) }
        bands = [:]
        for index in waiting.indices { (waiting[index].next, waiting[index].isBand) = (nil, false) }
    }

    /// Takes the next band that another thread can draw.
    ///
    /// - Parameter most: the maximum number of bands drawn at a time.
    func takeBand(_ content: InkSheetContent, at place: Place, most: Int) -> InkBand? {
        while bands.count < most, let index = waiting.firstIndex(where: \.isBand) {
            let job = waiting.remove(at: index)
            guard let part = job.part.intersection(whole(at: place)), let next = job.next else { continue }
            let box = part.box(scale: place.scale)
            let end = content.items.count
            let strokes = (next..<max(next, end)).compactMap { index -> Stroke? in
                guard content.boxes[index]?.intersects(box) == true, let stroke = content.items[index].stroke,
                    plane?.has(stroke) ?? true
                else { return nil }
                return stroke
            }
            if strokes.isEmpty { continue }
            lastBand += 1
            bands[lastBand] = part
            return InkBand(
                number: lastBand, part: part, scale: place.scale, isDark: content.isDark, strokes: strokes, end: end,
                pixels: pixels(part, at: place))
        }
        return nil
    }

    private func pixels(_ part: InkPart, at place: Place) -> [UInt8] {
        cairo_surface_flush(surface)
        let count = 4 * part.width * part.height
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, made in
            for y in 0..<part.height {
                let row = bytes + 4 * ((part.y - place.y + y) * size.width + part.x - place.x)
                memcpy(buffer.baseAddress! + 4 * y * part.width, row, 4 * part.width)
            }
            made = count
        }
    }

    /// Takes the pixels of a band.
    ///
    /// - Returns: the part that has changed; nil for a band that is out of date.
    func take(_ band: InkBand, _ content: InkSheetContent, at place: Place) -> InkPart? {
        guard bands.removeValue(forKey: band.number) != nil, band.scale == place.scale else { return nil }
        beginAnew(over: band.part)
        if content.items.count > band.end { waiting.append(Job(part: band.part, next: band.end, isBand: true)) }
        guard let part = band.part.intersection(whole(at: place)) else { return nil }
        cairo_surface_flush(surface)
        band.pixels.withUnsafeBytes { pixels in
            for y in 0..<part.height {
                let from = 4 * ((part.y - band.part.y + y) * band.part.width + part.x - band.part.x)
                let row = bytes + 4 * ((part.y - place.y + y) * size.width + part.x - place.x)
                row.copyMemory(from: pixels.baseAddress! + from, byteCount: 4 * part.width)
            }
        }
        cairo_surface_mark_dirty(surface)
        return part
    }
}

extension InkPart {
    /// True if the other part is inside.
    func contains(_ other: InkPart) -> Bool {
        x <= other.x && y <= other.y && x + width >= other.x + other.width && y + height >= other.y + other.height
    }

    /// Splits the part into bands, from the top to the bottom.
    func split(height step: Int) -> [InkPart] {
        stride(from: y, to: y + height, by: step).map {
            InkPart(x: x, y: $0, width: width, height: min(step, y + height - $0))
        }
    }
}
