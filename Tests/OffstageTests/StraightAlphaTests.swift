import Offstage
import Testing

/// Painters produce premultiplied colours; files store straight ones.
struct StraightAlphaTests {
    /// A picture with every pair of values: the component along x, alpha along y.
    @Test func everyCombinationIsTheRoundedQuotient() throws {
        let picture = Pixmap.of(256, 256, isOpaque: false) { x, y in
            // The three components differ, so that a swap is noticed.
            [UInt8(x), UInt8(x / 2), UInt8(x / 3), UInt8(y)]
        }
        let file = try PNGFile(PNGEncoder().encode(picture, scale: 1))
        var wrong: [String] = []
        for alpha in 0...255 {
            for component in 0...255 {
                let expected = [component / 3, component / 2, component].map { straight($0, alpha) } + [UInt8(alpha)]
                let found = file.pixel(component, alpha)
                if found != expected { wrong.append("\(component)/\(alpha): \(found), not \(expected)") }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count) wrong: \(wrong.prefix(3))")
    }

    /// Because of rounding, a painter may make a component larger than its alpha. It must become the full colour and
    /// not wrap around.
    private func straight(_ component: Int, _ alpha: Int) -> UInt8 {
        if alpha == 0 { return 0 }
        return UInt8(min(255, (Double(component) * 255 / Double(alpha)).rounded()))
    }
}
