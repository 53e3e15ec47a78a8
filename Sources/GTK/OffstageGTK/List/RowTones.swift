import Offstage

/// The background that most rows of a list have, for rows that were never drawn.
struct RowTones {
    /// A colour, each component from 0 to 1.
    struct Tone: Equatable {
        var red, green, blue: Double

        /// True if black text is easier to read on it than white text (relative luminance, roughly).
        var isLight: Bool { 0.3 * red + 0.59 * green + 0.11 * blue > 0.55 }
    }

    /// The number of pictures with each background, by its pixel in memory: 0xAARRGGBB.
    private var counts: [UInt32: Int] = [:]
    /// The number of pictures, with or without a background.
    private var total = 0
    /// The background of at least half of the pictures, and at least two; nil if no such background exists.
    private(set) var usual: Tone?

    /// The maximum number of colours to count: a list of photographs has no common background.
    private static let most = 32

    /// Records a picture, whose corners show its background. Pictures with transparent or different corners do not
    /// count.
    mutating func note(_ pixmap: Offstage.Pixmap) {
        let last = pixmap.size.width - 1
        let corners = [0, pixmap.size.height - 1].flatMap { y in
            pixmap.withRow(y) { row in
                let pixels = row.assumingMemoryBound(to: UInt32.self)
                return [pixels[0], pixels[last]].map { UInt32(littleEndian: $0) }
            }
        }
        total += 1
        if let pixel = corners.first(where: { one in corners.count { $0 == one } >= 3 }), pixel >> 24 == 255,
            counts[pixel] != nil || counts.count < Self.most
        {
            counts[pixel, default: 0] += 1
        }
        guard let best = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }),
            best.value >= max(2, (total + 1) / 2)
        else {
            usual = nil
            return
        }
        func part(_ shift: UInt32) -> Double { Double(best.key >> shift & 255) / 255 }
        usual = Tone(red: part(16), green: part(8), blue: part(0))
    }
}
