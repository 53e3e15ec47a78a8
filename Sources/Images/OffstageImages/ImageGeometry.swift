import Offstage

/// The size of an image file's picture, and the part of the image that it shows.
public struct ImageGeometry: Sendable, Hashable {
    /// The way in which the image fills the box of `width` and `height`. Only `fill` changes the image's proportions.
    public enum Fit: String, Sendable, Hashable, CaseIterable {
        /// The picture is at most as large as the box, and never larger than the image. The default.
        case inside
        /// The picture is as large as the box. The image fits into it; the rest is transparent.
        case contain
        /// The picture is as large as the box. The image covers it; the rest is cut off.
        case cover
        /// The picture is as large as the box. The image is stretched.
        case fill
    }

    /// The part that `cover` keeps, and the position of a contained image.
    public enum Gravity: String, Sendable, Hashable, CaseIterable {
        case center, north, northeast, east, southeast, south, southwest, west, northwest

        /// From 0 for left and top to 1 for right and bottom.
        package var position: (x: Float, y: Float) {
            switch self {
            case .center: (0.5, 0.5)
            case .north: (0.5, 0)
            case .northeast: (1, 0)
            case .east: (1, 0.5)
            case .southeast: (1, 1)
            case .south: (0.5, 1)
            case .southwest: (0, 1)
            case .west: (0, 0.5)
            case .northwest: (0, 0)
            }
        }
    }

    /// A mirror image.
    public enum Flip: String, Sendable, Hashable, CaseIterable {
        /// Swaps left and right.
        case horizontal
        /// Swaps top and bottom.
        case vertical
    }

    /// A part of the upright, turned image, in px of the file.
    public struct Crop: Sendable, Hashable {
        public var x: Int
        public var y: Int
        public var width: Int
        public var height: Int

        /// Makes a part.
        ///
        /// - Parameters:
        ///   - x: the left edge in px of the file, from 0.
        ///   - y: the upper edge in px of the file, from 0.
        ///   - width: px of the file, at least 1. Anything outside the image is ignored.
        ///   - height: px of the file, at least 1. Anything outside the image is ignored.
        public init(x: Int, y: Int, width: Int, height: Int) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }
    }

    /// CSS px of the box; nil if it follows from the height and the image's proportions. Default nil.
    public var width: Int?
    /// CSS px of the box; nil if it follows from the width and the image's proportions. Default nil: without a width and a height,
    /// the picture has the image's own pixels.
    public var height: Int?
    public var fit = Fit.inside
    public var gravity = Gravity.center
    /// False: the image is drawn as its pixels are stored, whatever orientation the file has. Default true. A HEIC or
    /// AVIF file then also shows the pixels outside its own crop rectangle.
    public var isUpright = true
    /// Turns the upright image, before it is flipped, cropped and fitted. Default none.
    public var rotation = Rotation.none
    /// Default nil: none.
    public var flip: Flip?
    /// The part of the image to show; nil, the default, for all of it.
    public var crop: Crop?
    /// Device px per CSS px. Default 1.
    public var scale = 1.0

    /// Makes a geometry that keeps the image's own size.
    public init() {}

    /// A text for fingerprints: the same for equal geometries, in every build.
    var description: String {
        let part = crop.map { "\($0.x),\($0.y),\($0.width),\($0.height)" } ?? "-"
        let box = [width, height].map { $0.map(String.init) ?? "-" }.joined(separator: "x")
        let turn = "\(isUpright ? "" : "stored ")\(rotation.rawValue) \(flip?.rawValue ?? "-")"
        return "\(box) \(fit.rawValue) \(gravity.rawValue) \(turn) \(part) \(scale)"
    }

    /// A side of the box in device px; 0 for none.
    func devicePixels(_ side: Int?) -> UInt32 {
        guard let side else { return 0 }
        return UInt32(clamping: Int(max(1, min(Double(UInt32.max), (Double(side) * scale).rounded()))))
    }
}
