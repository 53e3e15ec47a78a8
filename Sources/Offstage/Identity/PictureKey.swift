/// Where a picture is kept: the caller's identifier, which of its files it is, and which part of a drawing.
///
/// Two keys are the same if their bytes are, as with file names: `é` in one code point and in two are two.
public struct PictureKey: Sendable {
    /// Any text.
    public var identifier: String
    /// A file that is made of one drawing, such as `full.png` or `thumb-120x120.webp`.
    public var variant: String
    /// Which of several parts, from 1; nil for a whole picture.
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
