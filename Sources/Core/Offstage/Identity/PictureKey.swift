/// The key of a cached picture: the caller's identifier, the variant (one of its files), and the part of a drawing.
///
/// Keys are compared by bytes, like file names: `é` as one code point differs from `é` as two.
public struct PictureKey: Sendable {
    /// Any text.
    public var identifier: String
    /// The name of a file made from one drawing, such as `full.png` or `thumb-120x120.webp`.
    public var variant: String
    /// The number of one of several parts, from 1; nil for a whole picture.
    public var part: Int?

    public init(_ identifier: String, variant: String, part: Int? = nil) {
        precondition(part ?? 1 > 0, "the first part of a drawing is number 1")
        self.identifier = identifier
        self.variant = variant
        self.part = part
    }
}

extension PictureKey: Hashable, CustomStringConvertible {
    public static func == (one: PictureKey, other: PictureKey) -> Bool {
        one.part == other.part && one.variant.utf8.elementsEqual(other.variant.utf8)
            && one.identifier.utf8.elementsEqual(other.identifier.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        func combine(_ text: String) {
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
            hasher.combine(0xFF as UInt8)
        }
        combine(identifier)
        combine(variant)
        hasher.combine(part)
    }

    public var description: String { "\(identifier) (\(variant)\(part.map { ", part \($0)" } ?? ""))" }
}
