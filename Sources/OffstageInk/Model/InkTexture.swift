import COffstageInk
import Foundation

/// An image that is stamped along a stroke's curve, instead of a solid line.
///
/// The same stroke gives the same stamps: at each scale, in each part of a page, and while it is being drawn.
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

    /// The turn of a stamp.
    public enum Rotation: String, Sendable, Hashable, Codable, CaseIterable {
        /// That of `angle` alone.
        case fixed
        /// With the curve.
        case direction
        /// In the direction in which the pen leans; with the curve for a pen that is upright.
        case tilt
    }

    /// The random differences of stamps, each from 0, the default, to 1.
    public struct Jitter: Sendable, Hashable, Codable {
        /// The largest distance from the curve, as a share of half of the width.
        public var position: Float = 0
        /// The largest turn, as a share of a half turn.
        public var angle: Float = 0
        /// The largest part of the size that a stamp lacks.
        public var size: Float = 0
        /// The largest part of the opacity that a stamp lacks.
        public var opacity: Float = 0

        /// No differences.
        public init() {}
    }

    public var shape: Shape
    /// The distance of stamps as a share of the width, 0.04 to 4. Default 0.15.
    public var spacing: Float
    public var rotation: Rotation
    /// Radians, clockwise, added to the rotation.
    public var angle: Float
    /// Of a stamp, 0 to 1. Default 1.
    public var opacity: Float
    /// True: stamps cover each other, and the line becomes denser. False: the densest one counts.
    public var buildsUp: Bool
    public var jitter: Jitter
    /// Decides the jitter. A brush's strokes have the brush's; `InkCanvas` gives each stroke its own. Default 0.
    public var seed: UInt32 = 0
    /// The number of stamps before the first point, for the rest of a stroke that was cut. Default 0.
    public var start: Float = 0

    /// Makes a texture.
    ///
    /// - Parameter shape: with the spacing, rotation and jitter that suit it; those of an image are the defaults.
    public init(_ shape: Shape) { self.init(offstage_ink_usual_texture(shape.c), shape) }

    init(_ c: offstage_ink_texture, _ shape: Shape) {
        self.shape = shape
        (spacing, rotation, angle) = (c.spacing, Rotation(number: c.turn), c.angle)
        (opacity, buildsUp, seed, start) = (c.opacity, c.builds_up != 0, c.seed, c.phase)
        jitter = Jitter()
        (jitter.position, jitter.angle) = (c.place_jitter, c.angle_jitter)
        (jitter.size, jitter.opacity) = (c.size_jitter, c.opacity_jitter)
    }

    /// For C.
    var c: offstage_ink_texture {
        var c = offstage_ink_texture()
        (c.shape, c.turn, c.seed, c.phase) = (shape.c.rawValue, rotation.number, seed, start)
        (c.spacing, c.angle, c.opacity, c.builds_up) = (spacing, angle, opacity, buildsUp ? 1 : 0)
        (c.place_jitter, c.angle_jitter) = (jitter.position, jitter.angle)
        (c.size_jitter, c.opacity_jitter) = (jitter.size, jitter.opacity)
        c.image = image?.identity ?? 0
        return c
    }

    /// The image that is not one of Offstage's own.
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
