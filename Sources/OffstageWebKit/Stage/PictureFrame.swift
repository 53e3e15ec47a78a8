import CWebKitGTK
import Foundation
import Offstage

/// Which part of a document becomes the picture, or which parts; made before anything is painted.
struct PictureFrame {
    /// What WebKit is asked to paint, and on what conditions.
    enum Way: Equatable {
        /// One snapshot that holds all boxes.
        case snapshot(WebKitSnapshotRegion)
        /// One snapshot cannot hold the document: the boxes alone, in tiles.
        case tiles
    }

    let way: Way
    /// One box a picture, in the document, device px.
    let boxes: [PixelBox]
    /// The same in px of what WebKit paints.
    let painted: [PixelBox]
    /// Of what the selector matches, by number, which become a picture each; the first alone where there is no selector.
    private let matches: [Int]
    /// Device px to a CSS px, of the boxes.
    let scale: Double
    /// Nil where WebKit paints device px.
    let reduction: PixelRatio?

    init(_ snippet: Snippet, _ readiness: Readiness, _ limits: SnapshotLimits = .engine) throws(DrawingError) {
        let geometry = snippet.geometry
        scale = geometry.scale
        let reduction = geometry.reduction
        self.reduction = reduction
        let height = Self.height(geometry, content: readiness.height)
        guard height > 0 else { throw .zeroHeight }
        let viewport = geometry.resolvedViewportHeight
        // The viewport alone, where it holds all that is wanted of a document that goes beyond it.
        let isWithinViewport =
            viewport >= height && (readiness.height > viewport || readiness.width > geometry.width)
            && snippet.selector == nil
        let region = isWithinViewport ? WEBKIT_SNAPSHOT_REGION_VISIBLE : WEBKIT_SNAPSHOT_REGION_FULL_DOCUMENT
        let width = isWithinViewport ? geometry.width : readiness.width
        let all = Readiness.Box(
            x: 0, y: 0, width: Double(width),
            height: Double(isWithinViewport ? viewport : max(viewport, readiness.height)))
        let whole = Self.box(all, geometry.scale)
        let wholePainted = Self.box(all, Double(geometry.windowScale))
        way = limits.hold(wholePainted.size) ? .snapshot(region) : .tiles
        if let selector = snippet.selector {
            let parts = try Self.parts(readiness, selector, within: whole, scale: geometry.scale)
            (boxes, matches) = (parts.map(\.box), parts.map(\.match))
        } else {
            // What has a width of its own may be wider than there is room for.
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

    /// What stands in each of the pictures.
    ///
    /// - Parameter pixmaps: the pictures, where they are made of pixels: one may have become smaller than its box.
    func contents(_ found: Readiness.Content, in pixmaps: [Offstage.Pixmap]) -> [PictureContent] {
        boxes.indices.map { index in
            let (box, match) = (boxes[index], matches[index])
            let text = match < found.texts.count ? found.texts[match] : ""
            return PictureContent(areas: found.areas.map(\.area), text: text).moved(
                left: box.left, top: box.top, size: index < pixmaps.count ? pixmaps[index].size : box.size,
                scale: scale)
        }
    }

    /// The pictures, from what WebKit painted of `painted`.
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
        // Parts may lie in one another: what counts is what is made of them.
        if boxes.reduce(0, { $0 + $1.size.width * $1.size.height }) > limits.picturePixels {
            throw .tooManyPixels(measured: PixelBox(around: boxes).size, limit: limits.picturePixels)
        }
    }

    /// What is painted and cut off again is in no file; the padding is.
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
            throw .invalidRequest("the selector \(selector.css) is not one that CSS knows")
        }
        let visible = parts.enumerated().map { (match: $0, box: box($1, scale).clamped(to: whole)) }
            .filter { !$0.box.isEmpty }
        guard let first = visible.first else { throw .notFound(selector.css) }
        return selector.isEach ? visible : [first]
    }

    /// From CSS px to device px; a fraction counts as a whole one.
    private static func box(_ box: Readiness.Box, _ scale: Double) -> PixelBox {
        // Layout has 64 steps to a CSS px: what is nearer to a whole number is an error of the arithmetic.
        func down(_ value: Double) -> Int { whole((value * scale + 1 / 128).rounded(.down)) }
        func up(_ value: Double) -> Int { whole((value * scale - 1 / 128).rounded(.up)) }
        // A transform makes a box as large as it likes, larger than an Int.
        func whole(_ value: Double) -> Int { Int(min(max(value, -1e9), 1e9)) }
        return PixelBox(
            left: down(box.x), top: down(box.y), right: up(box.x + box.width), bottom: up(box.y + box.height))
    }
}

extension DrawingError {
    /// What was too large, in px of the picture.
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
    /// The device scale factor that WebKit gets, which GTK has in whole numbers only: the next one up.
    ///
    /// Never a page zoom: WebKit draws text at 9 px at least and borders at 1 px, zoomed ones too, and the layout would be another one.
    var windowScale: Int { Int(scale.rounded(.up)) }

    /// From what WebKit paints to the picture; nil for a whole scale, at which they are the same.
    var reduction: PixelRatio? {
        scale == Double(windowScale) ? nil : PixelRatio(scale: scale, whole: windowScale)
    }

    /// CSS px.
    var viewport: Readiness.Box {
        Readiness.Box(x: 0, y: 0, width: Double(width), height: Double(resolvedViewportHeight))
    }

    /// CSS px.
    var resolvedViewportHeight: Int {
        if case .fixed(let height) = height { return viewportHeight ?? height }
        // Where the content is lower than the minimum, the viewport's canvas fills the rest.
        return max(viewportHeight ?? 1, minimumHeight ?? 1)
    }
}
