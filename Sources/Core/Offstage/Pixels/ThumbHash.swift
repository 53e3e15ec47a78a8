import Foundation

/// A picture's placeholder in at most 25 bytes: its proportions, its mean colour, and waves of light and colour. The
/// format is ThumbHash, which programs in many languages can draw.
struct ThumbHash {
    /// One channel's waves, longest first: the mean, and the others relative to the largest.
    private struct Waves {
        var mean = 0.0
        var others: [Double] = []
        var scale = 0.0

        /// - Parameters:
        ///   - values: one for each pixel.
        ///   - across: the waves from left to right.
        ///   - down: the waves from top to bottom.
        init(_ values: [Double], width: Int, height: Int, across: Int, down: Int) {
            // The cosines for each column and row, computed once.
            func cosines(_ waves: Int, _ count: Int) -> [[Double]] {
                (0..<waves).map { wave in
                    (0..<count).map { cos(Double.pi / Double(count) * Double(wave) * (Double($0) + 0.5)) }
                }
            }
            let (columns, rows) = (cosines(across, width), cosines(down, height))
            for y in 0..<down {
                for x in 0..<across where x * down < across * (down - y) {
                    var sum = 0.0
                    for row in 0..<height {
                        var line = 0.0
                        for column in 0..<width { line += values[row * width + column] * columns[x][column] }
                        sum += line * rows[y][row]
                    }
                    sum /= Double(width * height)
                    if x == 0, y == 0 { mean = sum } else { others.append(sum) }
                }
            }
            scale = others.reduce(0) { max($0, abs($1)) }
            if scale > 0 { others = others.map { 0.5 + 0.5 / scale * $0 } }
        }
    }

    private static func bits(_ value: Double, _ most: Double) -> Int { Int((min(1, max(0, value)) * most).rounded()) }

    /// - Parameters:
    ///   - pixels: red, green, blue and alpha from 0 to 1, not premultiplied.
    ///   - width: at most 100.
    ///   - height: at most 100.
    static func data(_ pixels: [SIMD4<Double>], width: Int, height: Int) -> Data {
        // Transparent areas show the mean colour.
        let alphas = pixels.reduce(0) { $0 + $1.w }
        var mean = SIMD4<Double>.zero
        for pixel in pixels { mean += pixel * pixel.w }
        if alphas > 0 { mean /= alphas }
        let hasAlpha = alphas < Double(pixels.count)
        let over = pixels.map { mean * (1 - $0.w) + $0 * $0.w }

        let limit = hasAlpha ? 5.0 : 7.0
        let longest = Double(max(width, height))
        let lightAcross = max(1, Int((limit * Double(width) / longest).rounded()))
        let lightDown = max(1, Int((limit * Double(height) / longest).rounded()))
        func waves(_ value: (SIMD4<Double>) -> Double, _ across: Int, _ down: Int) -> Waves {
            Waves(over.map(value), width: width, height: height, across: across, down: down)
        }
        let light = waves({ ($0.x + $0.y + $0.z) / 3 }, max(3, lightAcross), max(3, lightDown))
        let yellow = waves({ ($0.x + $0.y) / 2 - $0.z }, 3, 3)
        let red = waves({ $0.x - $0.y }, 3, 3)
        let alpha =
            hasAlpha ? Waves(pixels.map(\.w), width: width, height: height, across: 5, down: 5) : nil

        let isLandscape = width > height
        let head =
            bits(light.mean, 63) | bits(0.5 + 0.5 * yellow.mean, 63) << 6 | bits(0.5 + 0.5 * red.mean, 63) << 12
            | bits(light.scale, 31) << 18 | (hasAlpha ? 1 << 23 : 0)
        let tail =
            (isLandscape ? lightDown : lightAcross) | bits(yellow.scale, 63) << 3 | bits(red.scale, 63) << 9
            | (isLandscape ? 1 << 15 : 0)
        var bytes = [head & 255, head >> 8 & 255, head >> 16, tail & 255, tail >> 8]
        if let alpha { bytes.append(bits(alpha.mean, 15) | bits(alpha.scale, 15) << 4) }
        let nibbles = (light.others + yellow.others + red.others + (alpha?.others ?? [])).map { bits($0, 15) }
        for pair in stride(from: 0, to: nibbles.count, by: 2) {
            bytes.append(nibbles[pair] | (pair + 1 < nibbles.count ? nibbles[pair + 1] << 4 : 0))
        }
        return Data(bytes.map { UInt8(truncatingIfNeeded: $0) })
    }
}

extension Pixmap {
    /// A placeholder for the picture, at most 25 bytes, in ThumbHash's format. Takes about a millisecond.
    public var thumbHash: Data {
        let small = sample.fitted(into: PixelSize(width: 32, height: 32))
        return ThumbHash.data(small.straightColors, width: small.size.width, height: small.size.height)
    }

    /// A small version of the picture, from which `thumbHash` and `dominantColor` give the same results as from the
    /// picture. A caller that needs both makes it once.
    package var sample: Pixmap { fitted(into: PixelSize(width: 64, height: 64)) }

    /// The colour that covers most of the picture, opaque; nil for a transparent picture.
    ///
    /// Similar colours count as one: each component in sixteen steps. The result is the mean of the most frequent ones.
    public var dominantColor: Color? {
        var sums = [SIMD4<Double>](repeating: .zero, count: 4096)
        for color in sample.straightColors {
            func step(_ value: Double) -> Int { min(15, Int(value * 16)) }
            let bin = step(color.x) << 8 | step(color.y) << 4 | step(color.z)
            sums[bin] += SIMD4(color.x, color.y, color.z, 1) * color.w
        }
        guard let most = sums.max(by: { $0.w < $1.w }), most.w > 0 else { return nil }
        return Color(red: most.x / most.w, green: most.y / most.w, blue: most.z / most.w)
    }

    /// Red, green, blue and alpha from 0 to 1, not premultiplied, in rows.
    private var straightColors: [SIMD4<Double>] {
        var colors: [SIMD4<Double>] = []
        colors.reserveCapacity(size.width * size.height)
        for y in 0..<size.height {
            withRow(y) { row in
                for x in 0..<size.width {
                    let alpha = Double(row[4 * x + 3])
                    let color = SIMD4(Double(row[4 * x + 2]), Double(row[4 * x + 1]), Double(row[4 * x]), 0)
                    var straight = alpha > 0 ? color / alpha : .zero
                    straight.w = alpha / 255
                    colors.append(straight)
                }
            }
        }
        return colors
    }
}
