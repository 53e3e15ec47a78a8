import COffstageInk
import Foundation
import Offstage

/// The image of a brush's stamps: the opacity of each pixel of a square. A copy shares its memory, so a document has each image once.
public struct InkTextureImage: Sendable {
    /// The allowed sides of an image, px.
    public static let sides = Int(OFFSTAGE_INK_LEAST_SIDE)...Int(OFFSTAGE_INK_MOST_SIDE)

    /// Identifies the image in files.
    let identity: UInt64
    private let memory: Memory?

    /// Makes an image.
    ///
    /// - Parameters:
    ///   - opacities: 0 to 255 for each pixel, row by row.
    ///   - side: px, 8 to 128.
    /// - Returns: nil for another side, or another number of pixels.
    public init?(_ opacities: Data, side: Int) {
        guard Self.sides.contains(side), opacities.count == side * side, let memory = Memory(opacities, side) else {
            return nil
        }
        self.memory = memory
        identity = max(1, Digest(of: Data([UInt8(side)]) + opacities).withBytes { $0.loadUnaligned(as: UInt64.self) })
    }

    /// Makes an image from a picture, such as a PNG file that a `Renderer` has read. Uses its opacity, or its darkness
    /// if it is opaque.
    ///
    /// - Returns: nil if the picture is not a square of 8 to 128 px.
    public init?(_ picture: Pixmap) {
        guard picture.size.width == picture.size.height, Self.sides.contains(picture.size.width) else { return nil }
        var (opacities, darkness) = (Data(), Data())
        for y in 0..<picture.size.height {
            picture.withRow(y) { row in
                for x in stride(from: 0, to: row.count, by: 4) {
                    opacities.append(row[x + 3])
                    let light = 299 * Int(row[x + 2]) + 587 * Int(row[x + 1]) + 114 * Int(row[x])
                    darkness.append(UInt8(clamping: 255 - (light + 500) / 1000))
                }
            }
        }
        self.init(opacities.allSatisfy { $0 == 255 } ? darkness : opacities, side: picture.size.width)
    }

    /// An image that a damaged file lacks. Its strokes are drawn as solid lines, and keep the reference in case the
    /// image reappears.
    init(missing identity: UInt64) { (self.identity, memory) = (identity, nil) }

    /// Px; 0 for a missing image.
    public var side: Int { memory?.side ?? 0 }

    /// 0 to 255 for each pixel, row by row; empty for a missing image.
    public var opacities: Data { memory?.opacities ?? Data() }

    var shape: OpaquePointer? { memory?.shape }

    /// Never changes: any thread may read it.
    private final class Memory: @unchecked Sendable {
        let side: Int
        let opacities: Data
        let shape: OpaquePointer

        init?(_ opacities: Data, _ side: Int) {
            let shape = opacities.withUnsafeBytes {
                offstage_ink_shape_new($0.bindMemory(to: UInt8.self).baseAddress, UInt32(side))
            }
            guard let shape else { return nil }
            (self.side, self.opacities, self.shape) = (side, opacities, shape)
        }

        deinit { offstage_ink_shape_free(shape) }
    }
}

extension InkTextureImage: Hashable, Codable {
    public static func == (one: Self, other: Self) -> Bool {
        one.identity == other.identity && (one.memory === other.memory || one.opacities == other.opacities)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(identity) }

    private enum Key: CodingKey { case side, opacities }

    /// - Throws: an error for an invalid side.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let (side, bytes) = (
            try values.decode(Int.self, forKey: .side), try values.decode(Data.self, forKey: .opacities)
        )
        guard let image = Self(bytes, side: side) else {
            throw DecodingError.dataCorruptedError(
                forKey: .side, in: values, debugDescription: "the image of a texture must have a side of 8 to 128 px")
        }
        self = image
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(side, forKey: .side)
        try values.encode(opacities, forKey: .opacities)
    }
}
