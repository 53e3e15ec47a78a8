import SeededRandom
import Testing

@testable import Offstage

/// Averages are rounded once and exactly, however they are computed.
@Suite struct AreaAverageTests {
    @Test func everyPixelIsTheRoundedMean() {
        for seed in Seed.some(40) {
            var chance = SeededGenerator(seed: seed)
            let source = PixelSize(
                width: .random(in: 1...90, using: &chance), height: .random(in: 1...60, using: &chance))
            // Extreme values, whose averages are often close to whole numbers.
            let pixels = (0..<4 * source.width * source.height).map { _ in
                chance.oneIn(2) ? UInt8.random(in: 0...255, using: &chance) : chance.oneIn(2) ? 255 : 0
            }
            let pixmap = Pixmap.of(source.width, source.height, isOpaque: false) { x, y in
                Array(pixels[4 * (y * source.width + x)..<4 * (y * source.width + x) + 4])
            }
            let target = PixelSize(
                width: .random(in: 1...source.width, using: &chance),
                height: .random(in: 1...source.height, using: &chance))
            let average = AreaAverage(
                columns: .init(source: target.width, target: source.width, range: 0..<target.width),
                rows: .init(source: target.height, target: source.height, range: 0..<target.height))
            let made = Pixmap.filled(size: target, isOpaque: false) { average.write(pixmap, to: $0) }
            let area = source.width * source.height
            for y in 0..<target.height {
                for x in 0..<target.width {
                    var sums = [0, 0, 0, 0]
                    for row in average.rows.shares(of: y, among: source.height) {
                        for column in average.columns.shares(of: x, among: source.width) {
                            let place = 4 * (row.index * source.width + column.index)
                            for part in 0..<4 { sums[part] += row.weight * column.weight * Int(pixels[place + part]) }
                        }
                    }
                    let expected = sums.map { UInt8(($0 + area / 2) / area) }
                    #expect(made.withRow(y) { Array($0[4 * x..<4 * x + 4]) } == expected, "seed \(seed)")
                }
            }
        }
    }
}
