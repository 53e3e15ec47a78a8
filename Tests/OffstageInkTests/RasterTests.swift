import Foundation
import Offstage
import Testing

@testable import OffstageInk

/// Strokes as pixels.
struct RasterTests {
    private static let looks: [(String, @Sendable (inout Stroke) -> Void)] = [
        ("pen", { _ in }),
        ("smooth", { $0.smoothing = 0.75 }),
        ("pressure", { $0.dynamics = .pressure }),
        ("speed", { $0.dynamics = .speed }),
        ("opacity", { $0.dynamics.opacityByPressure = 1 }),
        ("pencil", { ($0.tool, $0.width) = (.pencil, 5) }),
        ("highlighter", { ($0.tool, $0.width, $0.color.opacity) = (.highlighter, 14, 120) }),
        ("tapers", { ($0.taperStart, $0.taperEnd, $0.smoothing) = (20, 30, 0.5) }),
        ("dashes", { ($0.dash, $0.cap) = ([6, 3], .butt) }),
        ("square", { ($0.cap, $0.width) = (.square, 10) }),
        ("fill", { ($0.fill, $0.smoothing) = (128, 0.5) }),
        ("thin", { $0.width = 0.2 }),
    ]

    @Test("Any part that is drawn alone equals the same part of the whole", arguments: looks.map(\.0))
    func parts(name: String) {
        var stroke = windingStroke()
        Self.looks.first { $0.0 == name }?.1(&stroke)
        let (scale, width, height) = (1.7, 220, 200)
        let whole = draw([stroke], part: InkPart(x: 0, y: 0, width: width, height: height), scale: scale)
        #expect(whole.contains { $0 < 100 } || name == "thin" || name == "highlighter" || name == "pencil")
        #expect(whole.contains { $0 < 250 })
        for part in [
            InkPart(x: 31, y: 17, width: 40, height: 90), InkPart(x: 0, y: 100, width: 220, height: 1),
            InkPart(x: 77, y: 0, width: 1, height: 200), InkPart(x: 100, y: 90, width: 64, height: 64),
        ] {
            let alone = draw([stroke], part: part, scale: scale)
            for y in 0..<part.height {
                let start = 4 * ((part.y + y) * width + part.x)
                #expect(
                    Array(alone[(4 * y * part.width)..<(4 * (y + 1) * part.width)])
                        == Array(whole[start..<(start + 4 * part.width)]), "row \(y) of \(part)")
            }
        }
    }

    @Test("A translucent stroke is not darker where it crosses itself")
    func crossing() {
        let loop = [(20, 20), (80, 80), (80, 20), (20, 80)].map { InkPoint(x: $0.0, y: $0.1) }
        let stroke = Stroke(loop, color: InkColor(red: 0, green: 0, blue: 0, opacity: 128), width: 12)
        let pixels = draw([stroke], part: InkPart(x: 0, y: 0, width: 100, height: 100), scale: 1)
        let (crossing, plain) = (pixels[4 * (50 * 100 + 50)], pixels[4 * (30 * 100 + 30)])
        #expect(crossing == plain)
        #expect((126...128).contains(Int(plain)))
    }

    @Test("A highlighter darkens light paper and lightens dark paper; ink below it stays visible")
    func highlighter() {
        var stroke = Stroke([InkPoint(x: 10, y: 20), InkPoint(x: 60, y: 20)], tool: .highlighter, width: 20)
        stroke.color = InkColor(red: 255, green: 255, blue: 0, opacity: 120)
        let part = InkPart(x: 0, y: 0, width: 70, height: 40)
        let light = draw([stroke], part: part, scale: 1)
        let dark = draw([stroke], part: part, scale: 1, paper: 0, isDark: true)
        let black = draw([stroke], part: part, scale: 1, paper: 0)
        let middle = 4 * (20 * 70 + 35)
        // Blue is absorbed; red and green are not.
        #expect(light[middle] < 150 && light[middle + 1] == 255 && light[middle + 2] == 255)
        #expect(dark[middle + 1] > 100 && dark[middle] == 0)
        #expect(black[middle + 1] == 0)
    }

    @Test("A curve passes through every point and ends at the newest one")
    func curve() {
        var stroke = Stroke(
            [(10, 10), (40, 70), (90, 15), (120, 80)].map { InkPoint(x: $0.0, y: $0.1) }, width: 1)
        stroke.smoothing = 1
        let nodes = InkRaster().nodes(of: stroke, scale: 2)
        for point in stroke.points {
            #expect(nodes.contains { hypot($0.x - point.x, $0.y - point.y) < 0.001 })
        }
        #expect(nodes.count > 20)
        #expect(hypot(nodes[nodes.count - 1].x - 120, nodes[nodes.count - 1].y - 80) < 0.001)
    }

    @Test("Bounds contain all pixels of a stroke")
    func bounds() throws {
        for (name, change) in Self.looks {
            var stroke = windingStroke(3)
            change(&stroke)
            let part = try #require(stroke.bounds).part(scale: 1.3)
            let pixels = draw([stroke], part: InkPart(x: 0, y: 0, width: 260, height: 220), scale: 1.3)
            for y in 0..<220 {
                for x in 0..<260 where pixels[4 * (y * 260 + x) + 1] != 255 {
                    let isInside =
                        (part.x..<(part.x + part.width)).contains(x) && (part.y..<(part.y + part.height)).contains(y)
                    #expect(isInside, "\(name): \(x), \(y)")
                }
            }
        }
    }

    @Test("Impossible numbers are left out and draw nothing far away")
    func impossible() {
        var stroke = windingStroke()
        let good = draw([stroke], part: InkPart(x: 0, y: 0, width: 150, height: 120), scale: 1)
        for bad in [Float.nan, .infinity, -.infinity, 1e30] {
            stroke.points.insert(InkPoint(x: bad, y: 5), at: 10)
            stroke.points.insert(InkPoint(x: 5, y: bad), at: 30)
        }
        #expect(draw([stroke], part: InkPart(x: 0, y: 0, width: 150, height: 120), scale: 1) == good)
        stroke.width = .nan
        _ = draw([stroke], part: InkPart(x: 0, y: 0, width: 150, height: 120), scale: 1)
        stroke.width = 1e30
        _ = draw([stroke], part: InkPart(x: 0, y: 0, width: 150, height: 120), scale: 1e6)
    }

    @Test("Swift's points have the same memory layout as C's")
    func layout() {
        #expect(MemoryLayout<InkPoint>.size == 24 && MemoryLayout<InkPoint>.stride == 24)
        let point = InkPoint(x: 1, y: 2, pressure: 3, tilt: 4, azimuth: 5, time: 6)
        [point].withC { points, count in
            #expect(count == 1)
            #expect(points?.pointee.x == 1 && points?.pointee.pressure == 3 && points?.pointee.time == 6)
        }
    }
}
