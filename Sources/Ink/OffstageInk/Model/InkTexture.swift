import COffstageInk
import Foundation

/// An image that is stamped along a stroke's curve, instead of a solid line.
///
/// The same stroke gives the same stamps at every scale, in every part of a page, and while it is being drawn.
public struct InkTexture: Sendable, Hashable, Codable {
    /// The image of a stamp.
    public enum Shape: Sendable, Hashable, Codable {
        case chalk
        case charcoal
        /// A felt pen's flat tip.
        case marker
        /// A broad pen for calligraphy.
        case nib
        case dots
        case image(InkTextureImage)
    }

    /// The rotation of a stamp.
    public enum Rotation: String, Sendable, Hashable, Codable, CaseIterable {
        /// Only the rotation by `angle`.
        case fixed
        /// Along the curve.
        case direction
        /// In the direction in which the pen leans, or along the curve for an upright pen.
        case tilt
    }

    /// The random variation of stamps, each from 0, the default, to 1.
    public struct Jitter: Sendable, Hashable, Codable {
        /// The maximum distance from the curve, as a share of half of the width.
        public var position: Float = 0
        /// The maximum rotation, as a share of a half turn.
        public var angle: Float = 0
        /// The maximum reduction of a stamp's size.
        public var size: Float = 0
        /// The maximum reduction of a stamp's opacity.
        public var opacity: Float = 0

        /// No variation.
        public init() {}
    }

    public var shape: Shape
    /// The distance between stamps as a share of the width, 0.04 to 4. Default 0.15.
    public var spacing: Float
    public var rotation: Rotation
    /// Radians, clockwise, added to the rotation.
    public var angle: Float
    /// The opacity of a stamp, 0 to 1. Default 1.
    public var opacity: Float
    /// True: stamps accumulate, and the line becomes denser. False: the densest stamp counts.
    public var buildsUp: Bool
    public var jitter: Jitter
    /// Determines the jitter. A brush's strokes use the brush's seed; `InkCanvas` gives each stroke its own. Default 0.
    public var seed: UInt32 = 0
    /// The number of stamps before the first point, for the rest of a divided stroke. Default 0.
    public var start: Float = 0

    /// Makes a texture.
    ///
    /// - Parameter shape: the shape, which determines spacing, rotation and jitter. For an image, these have their
    ///   defaults.
    public init(_ shape: Shape) { self.init(offstage_ink_usual_texture(shape.c), shape) }

    init(_ c: offstage_ink_texture, _ shape: Shape) {
        self.shape = shape
        (spacing, rotation, angle) = (c.spacing, Rotation(number: c.turn), c.angle)
        (opacity, buildsUp, seed, start) = (c.opacity, c.builds_up != 0, c.seed, c.phase)
        jitter = Jitter()
        (jitter.position, jitter.angle) = (c.place_jitter, c.angle_jitter)
        (jitter.size, jitter.opacity) = (c.size_jitter, c.opacity_jitter)
    }

    /// The texture as a C structure.
    var c: offstage_ink_texture {
        var c = offstage_ink_texture()
        (c.shape, c.turn, c.seed, c.phase) = (shape.c.rawValue, rotation.number, seed, start)
        (c.spacing, c.angle, c.opacity, c.builds_up) = (spacing, angle, opacity, buildsUp ? 1 : 0)
        (c.place_jitter, c.angle_jitter) = (jitter.position, jitter.angle)
        (c.size_jitter, c.opacity_jitter) = (jitter.size, jitter.opacity)
        c.image = image?.identity ?? 0
        return c
    }

    /// The image, unless the shape is built in.
    var image: InkTextureImage? { if case .image(let image) = shape { image } else { nil } }
}

extension InkTexture.Shape {
    fileprivate var c: offstage_ink_shape_kind {
        switch self {
        case .chalk: OFFSTAGE_INK_CHALK
        case .charcoal: OFFSTAGE_INK_CHARCOAL
        case .marker: OFFSTAGE_INK_CHISEL
        case .nib: OFFSTAGE_INK_NIB
        case .dots: OFFSTAGE_INK_DOTS
        case .image: OFFSTAGE_INK_OWN_SHAPE
        }
    }

    /// - Returns: nil for another number, and for an image.
    init?(number: UInt32) {
        let all: [Self] = [.chalk, .charcoal, .marker, .nib, .dots]
        guard let shape = all.first(where: { $0.c.rawValue == number }) else { return nil }
        self = shape
    }

    /// The name used in files.
    var name: String {
        switch self {
        case .chalk: "chalk"
        case .charcoal: "charcoal"
        case .marker: "marker"
        case .nib: "nib"
        case .dots: "dots"
        case .image: "image"
        }
    }
}

extension InkTexture.Rotation {
    fileprivate var number: UInt32 { UInt32(Self.allCases.firstIndex(of: self) ?? 0) }

    fileprivate init(number: UInt32) { self = number < 3 ? Self.allCases[Int(number)] : .fixed }
}
