/// Identifies an item, even after a save: Xournal++'s format rounds numbers, and turns straight lines into curves.
/// Before an item is removed, it is compared with the one that was inserted.
struct InkMark: Sendable, Equatable {
    enum Kind: UInt32 {
        case stroke = 1
        case text, image
    }

    var kind: Kind
    /// Red, green and blue.
    var color: UInt32 = 0
    /// The first and the last point, or the corners.
    var places: SIMD4<Float>

    init(_ kind: Kind, color: UInt32, places: SIMD4<Float>) {
        (self.kind, self.color, self.places) = (kind, color, places)
    }

    init(_ item: InkItem) {
        switch item {
        case .stroke(let stroke):
            kind = .stroke
            color = stroke.color.number
            let (first, last) = (stroke.points.first, stroke.points.last)
            places = SIMD4(first?.x ?? 0, first?.y ?? 0, last?.x ?? 0, last?.y ?? 0)
        case .text(let text):
            kind = .text
            color = text.color.number
            places = SIMD4(text.x, text.y, 0, 0)
        case .image(let image):
            kind = .image
            places = SIMD4(image.left, image.top, image.right, image.bottom)
        }
    }

    /// True for the same item.
    func fits(_ other: InkMark) -> Bool {
        let far = places - other.places
        return kind == other.kind && color == other.color && (far * far).max() < 0.0004
    }
}

extension [InkMark] {
    func fit(_ others: [InkMark]) -> Bool { count == others.count && zip(self, others).allSatisfy { $0.fits($1) } }
}

extension InkColor {
    fileprivate var number: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }
}

/// A step of the history.
struct InkStep: Sendable {
    var edit: InkEdit
    /// The marks of the items that the edit removes, in the order of its inverse; nil if unknown.
    var marks: [InkMark]?

    /// The step's size in memory, in bytes.
    var byteCount: Int { edit.byteCount + 24 * (marks?.count ?? 0) }
}
