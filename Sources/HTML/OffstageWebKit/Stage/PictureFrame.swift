import CWebKitGTK
import Foundation
import Offstage

/// The parts of a document that become pictures. Determined before WebKit paints.
struct PictureFrame {
    /// The way in which WebKit paints them.
    enum Way: Equatable {
        /// One snapshot with all boxes.
        case snapshot(WebKitSnapshotRegion)
        /// Only the boxes, in tiles: the document is too large for one snapshot.
        case tiles
    }

    let way: Way
    /// The size of a snapshot with all boxes, CSS px.
    let snapshot: PixelSize
    /// The box of each picture in the document, device px.
    let boxes: [PixelBox]
    /// The same boxes in px of WebKit's snapshot.
    let painted: [PixelBox]
    /// The numbers of the selector's matches that become pictures; without a selector, only the first.
    private let matches: [Int]
    /// The scale of the boxes: device px per CSS px.
    let scale: Double
    /// Nil if WebKit paints device px directly.
    let reduction: PixelRatio?

    init(_ snippet: Snippet, _ readiness: Readiness, _ limits: SnapshotLimits = .engine) throws(DrawingError) {
        let geometry = snippet.geometry
        scale = geometry.scale
        let reduction = geometry.reduction
        self.reduction = reduction
        let height = Self.height(geometry, content: readiness.height)
        guard height > 0 else { throw .zeroHeight }
        let viewport = geometry.resolvedViewportHeight
        // The viewport is enough if it contains all boxes, even in a larger document.
        let isWithinViewport =
            viewport >= height && (readiness.height > viewport || readiness.width > geometry.width)
            && snippet.selector == nil
        let region = isWithinViewport ? WEBKIT_SNAPSHOT_REGION_VISIBLE : WEBKIT_SNAPSHOT_REGION_FULL_DOCUMENT
        let width = isWithinViewport ? geometry.width : readiness.width
        let all = Readiness.Box(
            x: 0, y: 0, width: Double(width),
            height: Double(isWithinViewport ? viewport : max(viewport, readiness.height)))
        snapshot = PixelSize(width: Int(all.width), height: Int(all.height))
        let whole = Self.box(all, geometry.scale)
        let wholePainted = Self.box(all, Double(geometry.windowScale))
        way = limits.hold(wholePainted.size) ? .snapshot(region) : .tiles
        if let selector = snippet.selector {
            let parts = try Self.parts(readiness, selector, within: whole, scale: geometry.scale)
            (boxes, matches) = (parts.map(\.box), parts.map(\.match))
        } else {
            // Content with its own width may be wider than the limit.
            let left = max(0, readiness.fit?.x ?? 0)
            let right = min(Double(geometry.width), readiness.fit.map { $0.x + $0.width } ?? .infinity)
            let part = Readiness.Box(x: left, y: 0, width: right - left, height: Double(height))
            (boxes, matches) = ([Self.box(part, geometry.scale).clamped(to: whole)], [0])
        }
        if boxes.contains(where: \.isEmpty) { throw .zeroHeight }
        let boxes = boxes
        painted = reduction.map { ratio in boxes.map { ratio.finer($0).clamped(to: wholePainted) } } ?? boxes
        if way == .tiles, snippet.medium == .pixels {
            let viewport = Self.box(geometry.viewport, Double(geometry.windowScale)).size
            do throws(DrawingError) { try limits.check(tilesOf: painted, viewport: viewport) } catch {
                throw reduction.map(error.reduced) ?? error
            }
        }
        try Self.check(boxes, against: snippet.limits)
        try Self.check(boxes, for: snippet)
    }

    /// Returns the content of each picture.
    ///
    /// - Parameter pixmaps: the pictures, if they are made of pixels. One may have become smaller than its box.
    func contents(_ found: Readiness.Content, in pixmaps: [Offstage.Pixmap]) -> [PictureContent] {
        boxes.indices.map { index in
            let (box, match) = (boxes[index], matches[index])
            let text = match < found.texts.count ? found.texts[match] : ""
            return PictureContent(areas: found.areas.map(\.area), text: text).moved(
                left: box.left, top: box.top, size: index < pixmaps.count ? pixmaps[index].size : box.size,
                scale: scale)
        }
    }

    /// Makes the pictures from the pixels of `painted`.
    @concurrent
    nonisolated func pictures(_ parts: [Offstage.Pixmap]) async throws(DrawingError) -> [Offstage.Pixmap] {
        guard let reduction else { return parts }
        do throws(FileError) {
            var pictures: [Offstage.Pixmap] = []
            for (index, part) in parts.enumerated() {
                pictures.append(try part.reduced(to: boxes[index], by: reduction, from: painted[index]))
            }
            return pictures
        } catch { throw .spoolFailed(error) }
    }

    private static func height(_ geometry: Geometry, content: Int) -> Int {
        switch geometry.height {
        case .fixed(let fixed): fixed
        case .content: max(min(content, geometry.maximumHeight ?? .max), geometry.minimumHeight ?? 0)
        }
    }

    private static func check(_ boxes: [PixelBox], against limits: SnippetLimits) throws(DrawingError) {
        let side = PixelSize(width: limits.pictureSide, height: limits.pictureSide)
        for box in boxes where max(box.size.width, box.size.height) > limits.pictureSide {
            throw .tooLarge(measured: box.size, limit: side)
        }
        // Parts may overlap, so the limit applies to all pictures together.
        if boxes.reduce(0, { $0 + $1.size.width * $1.size.height }) > limits.picturePixels {
            throw .tooManyPixels(measured: PixelBox(around: boxes).size, limit: limits.picturePixels)
        }
    }

    /// Checks the format's limit for the pictures in the files, which have padding but lack trimmed edges.
    private static func check(_ boxes: [PixelBox], for snippet: Snippet) throws(DrawingError) {
        guard let limit = snippet.geometry.formatLimit else { return }
        let padding = 2 * Int((Double(snippet.margins.padding) * snippet.geometry.scale).rounded())
        for box in boxes {
            let size = PixelSize(width: box.size.width + padding, height: box.size.height + padding)
            if max(size.width, size.height) > limit.side { throw .tooLargeForFormat(measured: size, limit: limit) }
        }
    }

    private static func parts(
        _ readiness: Readiness, _ selector: Snippet.Selector, within whole: PixelBox, scale: Double
    ) throws(DrawingError) -> [(match: Int, box: PixelBox)] {
        guard let parts = readiness.parts else {
            throw .invalidRequest("the selector \(selector.css) is not a valid CSS selector")
        }
        let visible = parts.enumerated().filter { !box($1, scale).clamped(to: whole).isEmpty }
            .map { (match: $0, box: box($1.with(outset: selector.outset), scale).clamped(to: whole)) }
        guard let first = visible.first else { throw .notFound(selector.css) }
        return selector.isEach ? visible : [first]
    }

    /// Converts CSS px to device px, and rounds up.
    private static func box(_ box: Readiness.Box, _ scale: Double) -> PixelBox {
        // Layout has 64 steps per CSS px, so a smaller fraction is a rounding error.
        func down(_ value: Double) -> Int { whole((value * scale + 1 / 128).rounded(.down)) }
        func up(_ value: Double) -> Int { whole((value * scale - 1 / 128).rounded(.up)) }
        // A transform can make a box larger than an Int.
        func whole(_ value: Double) -> Int { Int(min(max(value, -1e9), 1e9)) }
        return PixelBox(
            left: down(box.x), top: down(box.y), right: up(box.x + box.width), bottom: up(box.y + box.height))
    }
}

extension Readiness.Box {
    /// - Parameter outset: CSS px on each side.
    fileprivate func with(outset: Int) -> Readiness.Box {
        let outset = Double(outset)
        return Readiness.Box(x: x - outset, y: y - outset, width: width + 2 * outset, height: height + 2 * outset)
    }
}

extension DrawingError {
    /// Converts the sizes in the error from px of WebKit's snapshot to px of the picture.
    fileprivate func reduced(by ratio: PixelRatio) -> DrawingError {
        switch self {
        case .tooLarge(let measured, let limit):
            .tooLarge(measured: ratio.coarser(measured), limit: ratio.coarser(limit))
        default: self
        }
    }
}

extension PixelBox {
    fileprivate func clamped(to whole: PixelBox) -> PixelBox {
        PixelBox(
            left: max(left, whole.left), top: max(top, whole.top), right: min(right, whole.right),
            bottom: min(bottom, whole.bottom))
    }
}

extension Geometry {
    /// WebKit's device scale factor: the scale rounded up, because GTK has whole numbers only.
    ///
    /// A page zoom would change the layout: WebKit draws zoomed text with at least 9 px, and zoomed borders with at
    /// least 1 px.
    var windowScale: Int { Int(scale.rounded(.up)) }

    /// The reduction from WebKit's snapshot to the picture; nil for a whole scale, which needs none.
    var reduction: PixelRatio? {
        scale == Double(windowScale) ? nil : PixelRatio(scale: scale, whole: windowScale)
    }

    /// The box of the viewport in CSS px.
    var viewport: Readiness.Box {
        Readiness.Box(x: 0, y: 0, width: Double(width), height: Double(resolvedViewportHeight))
    }
}
