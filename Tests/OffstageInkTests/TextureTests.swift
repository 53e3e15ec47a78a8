import Foundation
import Offstage
import Testing

@testable import OffstageInk

/// Brushes with textures.
struct TextureTests {
    private static let shapes: [InkTexture.Shape] = [
        .chalk, .charcoal, .marker, .nib, .dots, .image(arrow),
    ]

    /// A bar along the x axis that is thinner at its right end.
    private static let arrow: InkTextureImage = {
        var bytes = Data()
        for y in 0..<16 { for x in 0..<16 { bytes.append(abs(2 * y - 15) < 14 - x / 2 && y > 4 ? 255 : 0) } }
        return InkTextureImage(bytes, side: 16)!
    }()

    private static func stroke(_ shape: InkTexture.Shape, seed: UInt32 = 7) -> Stroke {
        var stroke = windingStroke(width: 12)
        (stroke.smoothing, stroke.dynamics) = (0.75, .pressure)
        stroke.texture = InkTexture(shape)
        stroke.texture?.seed = seed
        stroke.texture?.jitter.opacity = 0.3
        return stroke
    }

    private static let page = InkPart(x: 0, y: 0, width: 260, height: 220)

    @Test(
        "Any part that is drawn alone equals the same part of the whole, and the same stroke gives the same bytes",
        arguments: shapes)
    func parts(shape: InkTexture.Shape) {
        var long = Self.stroke(shape)
        // Far beyond the page.
        long.points.append(InkPoint(x: 90_000, y: -40_000))
        long.points.append(InkPoint(x: 50, y: 120))
        var thin = Self.stroke(shape)
        (thin.taperStart, thin.taperEnd, thin.dash) = (20, 30, [9, 5])
        for stroke in [Self.stroke(shape), long, thin] {
            let whole = draw([stroke], part: Self.page, scale: 1.7)
            #expect(whole.contains { $0 < 200 })
            #expect(whole == draw([stroke], part: Self.page, scale: 1.7))
            for part in [
                InkPart(x: 31, y: 17, width: 40, height: 90), InkPart(x: 0, y: 100, width: 220, height: 1),
                InkPart(x: 77, y: 0, width: 1, height: 200), InkPart(x: 100, y: 90, width: 64, height: 64),
            ] {
                #expect(draw([stroke], part: part, scale: 1.7) == cut(whole, part), "\(part)")
            }
        }
    }

    private func cut(_ pixels: [UInt8], _ part: InkPart) -> [UInt8] {
        (0..<part.height).flatMap { y in
            let start = 4 * ((part.y + y) * Self.page.width + part.x)
            return pixels[start..<(start + 4 * part.width)]
        }
    }

    @Test(
        "A stroke that grows point by point, redrawing only the changed part, equals the finished stroke",
        arguments: shapes)
    func live(shape: InkTexture.Shape) {
        let finished = Self.stroke(shape)
        let (raster, scale) = (InkRaster(), 1.7)
        var pixels = [UInt8](repeating: 255, count: 4 * Self.page.width * Self.page.height)
        for count in 1...finished.points.count {
            var stroke = finished
            stroke.points = Array(finished.points.prefix(count))
            guard let box = stroke.bounds(from: max(0, count - 2)) else { continue }
            let part = box.part(scale: scale)
            let (left, top) = (max(0, part.x), max(0, part.y))
            let (right, bottom) = (
                min(Self.page.width, part.x + part.width), min(Self.page.height, part.y + part.height)
            )
            guard left < right, top < bottom else { continue }
            pixels.withUnsafeMutableBytes { memory in
                for y in top..<bottom {
                    let start = 4 * (y * Self.page.width + left)
                    memset(memory.baseAddress! + start, 255, 4 * (right - left))
                }
                raster.draw(
                    stroke,
                    into: InkRaster.Target(
                        pixels: memory.baseAddress! + 4 * (top * Self.page.width + left),
                        bytesPerRow: 4 * Self.page.width,
                        part: InkPart(x: left, y: top, width: right - left, height: bottom - top), scale: scale))
            }
        }
        #expect(pixels == draw([finished], part: Self.page, scale: scale))
    }

    @Test("Another seed gives other pixels; without jitter, the pixels are the same")
    func seeds() {
        for shape in [InkTexture.Shape.chalk, .charcoal, .dots] {
            #expect(
                draw([Self.stroke(shape)], part: Self.page, scale: 2)
                    != draw([Self.stroke(shape, seed: 8)], part: Self.page, scale: 2))
        }
        var (one, other) = (Self.stroke(.nib), Self.stroke(.nib, seed: 8))
        one.texture?.jitter = InkTexture.Jitter()
        other.texture?.jitter = InkTexture.Jitter()
        #expect(draw([one], part: Self.page, scale: 2) == draw([other], part: Self.page, scale: 2))
    }

    /// The number of darkened px in a row and in a column through the middle of a straight line.
    private func extent(_ rotation: InkTexture.Rotation, angle: Float, vertical: Bool, azimuth: Float? = nil) -> (
        Int, Int
    ) {
        var stroke = Stroke(
            (0...1).map { index in
                let at = 20 + 60 * Float(index)
                var point = InkPoint(x: vertical ? 50 : at, y: vertical ? at : 50)
                if let azimuth { (point.tilt, point.azimuth) = (1, azimuth) }
                return point
            }, width: 20)
        stroke.texture = InkTexture(.nib)
        stroke.texture?.rotation = rotation
        stroke.texture?.angle = angle
        let pixels = draw([stroke], part: InkPart(x: 0, y: 0, width: 100, height: 100), scale: 1)
        func isDark(_ x: Int, _ y: Int) -> Bool { pixels[4 * (y * 100 + x)] < 128 }
        return ((0..<100).count { isDark($0, 50) }, (0..<100).count { isDark(50, $0) })
    }

    @Test("A stamp rotates with the curve, with the pen, or not at all")
    func rotation() {
        // The nib is upright: tall and narrow.
        let (fixed, down) = (extent(.fixed, angle: 0, vertical: false), extent(.fixed, angle: 0, vertical: true))
        #expect(fixed.1 > 16 && (1...5).contains(down.0), "\(fixed) \(down)")
        let (along, below) = (
            extent(.direction, angle: 0, vertical: false), extent(.direction, angle: 0, vertical: true)
        )
        #expect(along.1 > 16 && below.0 > 16, "\(along) \(below)")
        let turned = extent(.direction, angle: .pi / 2, vertical: true)
        #expect((1...5).contains(turned.0), "\(turned)")
        let leaning = extent(.tilt, angle: 0, vertical: true, azimuth: .pi / 2)
        #expect(leaning.0 > 16, "\(leaning)")
        let ahead = extent(.tilt, angle: 0, vertical: true, azimuth: 0)
        #expect((1...5).contains(ahead.0), "\(ahead)")
        // Rotating a stroke also rotates its stamps.
        var line = Stroke([InkPoint(x: 20, y: 50), InkPoint(x: 80, y: 50)], width: 20)
        line.texture = InkTexture(.nib)
        line.texture?.angle = 0
        let quarter = line.transformed(InkTransform(angle: .pi / 2, centerX: 50, centerY: 50))
        #expect(abs((quarter.texture?.angle ?? 0) - .pi / 2) < 0.001)
    }

    @Test("A single point, or several equal points, draw a stamp")
    func dots() {
        for points in [[InkPoint(x: 50, y: 50)], Array(repeating: InkPoint(x: 50, y: 50), count: 4)] {
            var stroke = Stroke(points, width: 30)
            stroke.texture = InkTexture(.marker)
            let pixels = draw([stroke], part: InkPart(x: 0, y: 0, width: 100, height: 100), scale: 1)
            #expect(pixels[4 * (50 * 100 + 50)] < 10 && pixels[4 * (50 * 100 + 10)] == 255)
        }
    }

    @Test("Invalid or infinite numbers draw something in bounded time")
    func hostileNumbers() {
        for value in [Float.nan, .infinity, -.infinity, -1, 0, 1e30] {
            var stroke = Self.stroke(.chalk)
            stroke.texture?.spacing = value
            stroke.texture?.angle = value
            stroke.texture?.start = value
            stroke.texture?.jitter.position = value
            stroke.texture?.jitter.size = value
            stroke.points.append(InkPoint(x: 1e6, y: -1e6))
            stroke.points.append(InkPoint(x: -1e6, y: 1e6))
            _ = draw([stroke], part: Self.page, scale: 1)
            stroke.width = 1e-6
            _ = draw([stroke], part: Self.page, scale: 1)
        }
    }

    @Test("An eraser splits a textured stroke, and the remaining stamps stay in place")
    func erase() {
        for shape in Self.shapes {
            let stroke = Self.stroke(shape)
            let before = draw([stroke], part: Self.page, scale: 2)
            var editor = InkEditor(Ink(pages: [InkPage()]))
            editor.add(stroke, page: 0)
            #expect(InkEraser.part.erase(from: (60, 0), to: (60, 200), radius: 2, page: 0, in: &editor) != nil)
            let parts = editor.ink.pages[0].strokes
            #expect(parts.count >= 2 && parts.allSatisfy { $0.texture?.shape == shape })
            let after = draw(parts, part: Self.page, scale: 2)
            var moved = 0
            for y in 0..<Self.page.height {
                for x in 0..<Self.page.width where abs(x - 120) > 40 {
                    let index = 4 * (y * Self.page.width + x)
                    if abs(Int(before[index]) - Int(after[index])) > 80 { moved += 1 }
                }
            }
            // If the stamps had changed, thousands of px would differ.
            #expect(moved < 60, "\(shape.name) \(moved)")
            editor.undo()
            #expect(editor.ink.pages[0].strokes == [stroke])
        }
    }

    private func ink() -> Ink {
        // Two strokes share the same image.
        let strokes = Self.shapes.map { Self.stroke($0) } + [Self.stroke(.image(Self.arrow), seed: 9)]
        return Ink(pages: [InkPage(layers: [InkLayer(strokes: strokes)])])
    }

    @Test("Records and InkML contain each image once and are read back in full")
    func formats() async throws {
        let ink = ink()
        let records = InkRecords.data(of: ink)
        #expect(InkRecords.ink(records) == ink)
        #expect(records.ranges(of: Self.arrow.opacities).count == 1)
        for count in stride(from: 0, to: records.count, by: 97) {
            #expect(InkRecords.ink(records.prefix(count)) != ink)
        }
        let inkML = InkMLWriter.file(ink)
        #expect(inkML.losses.isEmpty)
        #expect(inkML.data.ranges(of: Data("textureImage".utf8)).count == 1)
        let engine = InkEngine(workers: 1, jail: .never)
        let read = try await engine.load(InkDocument(inkML.data))
        #expect(read.warnings.isEmpty)
        for (old, new) in zip(ink.pages[0].strokes, read.ink.pages[0].strokes) { expectSame(old.texture, new.texture) }
        // The engine draws the same pixels as the raster.
        let drawing = try await engine.draw(InkDrawing(InkDocument(ink)))
        guard case .pixels(let picture) = drawing.pictures.first else {
            Issue.record("no pixels")
            return
        }
        let part = InkPart(x: 0, y: 0, width: picture.size.width, height: picture.size.height)
        let drawn = draw(ink.pages[0].strokes, part: part, scale: 96.0 / 72)
        var different = 0
        for y in 0..<part.height {
            let start = 4 * y * part.width
            let expected = Array(drawn[start..<(start + 4 * part.width)])
            picture.withRow(y) { row in if Array(row) != expected { different += 1 } }
        }
        #expect(different == 0)
        let json = try JSONEncoder().encode(ink)
        #expect(try JSONDecoder().decode(Ink.self, from: json) == ink)
        await engine.shutDown()
    }

    private func expectSame(_ old: InkTexture?, _ new: InkTexture?) {
        guard let old, let new else {
            #expect(old == new)
            return
        }
        #expect(old.shape == new.shape || old.image?.opacities == new.image?.opacities)
        #expect(old.rotation == new.rotation && old.seed == new.seed && old.buildsUp == new.buildsUp)
        for path in [
            \InkTexture.spacing, \.angle, \.opacity, \.start, \.jitter.position, \.jitter.angle, \.jitter.size,
        ] {
            #expect(abs(old[keyPath: path] - new[keyPath: path]) < 0.0001)
        }
    }

    @Test("Xournal++'s files keep textures for Offstage; each format reports what other programs draw differently")
    func losses() async throws {
        let ink = ink()
        let file = XournalWriter.file(ink)
        #expect(file.losses.contains(.textures))
        #expect(InkSVGWriter.file(ink.pages[0]).losses.contains(.textures))
        #expect(InkPDFWriter.file(ink).losses.contains(.textures))
        let engine = InkEngine(workers: 1, jail: .never)
        let read = try await engine.load(InkDocument(file.data))
        await engine.shutDown()
        #expect(read.warnings.isEmpty)
        #expect(read.ink.strokeCount == ink.strokeCount)
        for (old, new) in zip(ink.pages[0].strokes, read.ink.pages[0].strokes) { expectSame(old.texture, new.texture) }
    }

    @Test("The journal stores an image once for all strokes; textures survive a kill and undo, with or without a save")
    func journal() async throws {
        for saves in [false, true] {
            let folder = try InkFolder()
            var opened = try await folder.open()
            let strokes = ink().pages[0].strokes + (10..<14).map { Self.stroke(.image(Self.arrow), seed: $0) }
            for stroke in strokes {
                opened.editor.add(stroke, page: 0)
                opened.file.append(from: &opened.editor)
            }
            opened.editor.remove([InkPlace(page: 0, layer: 0, index: 5)])
            opened.file.append(from: &opened.editor)
            if saves { await opened.save() }
            await opened.file.synchronize()
            let bytes = folder.contents.filter { $0.key.contains("journal") }.values.reduce(Data(), +)
            // At the beginning of the journal, and before the first stroke.
            #expect(1...2 ~= bytes.ranges(of: Self.arrow.opacities).count)
            try folder.kill()
            var again = try await folder.open()
            #expect(again.warnings.isEmpty)
            #expect(again.editor.ink.strokeCount == strokes.count - 1)
            again.editor.undo()
            again.file.append(from: &again.editor)
            await again.file.synchronize()
            #expect(again.editor.ink.pages[0].strokes[5].texture == strokes[5].texture)
            try folder.kill()
            let third = try await folder.open()
            let sides = third.editor.ink.pages[0].strokes.map(\.texture?.image?.side)
            #expect(sides == [nil, nil, nil, nil, nil, 16, 16, 16, 16, 16, 16])
            if !saves { #expect(third.editor.ink.pages[0].strokes == strokes) }
            await folder.engine.shutDown()
        }
    }

    private func points(_ texture: String) -> InkDocument {
        InkDocument(
            Data("{\"strokes\":[{\"points\":[[0,0,0.5],[90,40,0.5]],\"size\":20,\"texture\":\(texture)}]}".utf8))
    }

    @Test("JSON points accept a texture's name, or its settings and an image")
    func json() async throws {
        let engine = InkEngine(workers: 1, jail: .never)
        for shape in Self.shapes.dropLast() {
            let read = try await engine.load(points("\"\(shape.name)\""))
            #expect(read.warnings.isEmpty)
            #expect(read.ink.pages[0].strokes[0].texture == InkTexture(shape))
        }
        let png = try #require(Pixmap(size: 16) { x, y in (x + y) % 2 == 0 ? 255 : 40 }?.png)
        let text =
            "{\"image\":\"\(png.base64EncodedString())\",\"spacing\":0.5,\"rotation\":\"direction\",\"angle\":90,"
            + "\"buildsUp\":true,\"opacity\":0.5,\"seed\":4000000000,\"jitter\":{\"position\":0.25,\"size\":1}}"
        let read = try await engine.load(points(text))
        #expect(read.warnings.isEmpty)
        let texture = try #require(read.ink.pages[0].strokes[0].texture)
        #expect(texture.image?.side == 16 && texture.image?.opacities.prefix(2) == Data([0, 215]))
        #expect(texture.spacing == 0.5 && texture.rotation == .direction && abs(texture.angle - .pi / 2) < 0.001)
        #expect(texture.buildsUp && texture.opacity == 0.5 && texture.seed == 4_000_000_000)
        #expect(texture.jitter.position == 0.25 && texture.jitter.size == 1)
        // A table of textures, keyed by name.
        let table = Data(
            "{\"textures\":{\"mine\":\(text)},\"strokes\":[{\"points\":[[0,0],[9,9]],\"texture\":\"mine\"}]}".utf8)
        let named = try await engine.load(InkDocument(table))
        #expect(named.ink.pages[0].strokes[0].texture == texture)
        await engine.shutDown()
    }

    @Test("An unreadable texture causes a warning and a solid line")
    func brokenTextures() async throws {
        let engine = InkEngine(workers: 1, jail: .never)
        let large = try #require(Pixmap(size: 200) { _, _ in 0 }?.png)
        let plain = try await engine.load(points("null")).ink.pages[0].strokes
        for text in [
            "\"crayon\"", "7", "{}", "{\"image\":\"AAAA\"}", "{\"image\":\"\(large.base64EncodedString())\"}",
            "{\"shape\":\"image\"}", "\"image\"",
        ] {
            let read = try await engine.load(points(text))
            #expect(read.warnings.map(\.code.name) == ["ink-image-broken"], "\(text.prefix(30))")
            #expect(read.ink.pages[0].strokes == plain)
        }
        for texture in [
            "texture=\"chalk\"", "texture=\"image fixed 1 0 1 0 0 0 0 0 1 7 ab\"",
            "texture=\"crayon fixed 1 1 1 1 1 1 1 1 1 1\"",
            "texture=\"image fixed 1 0 1 0 0 0 0 0 1 7 ab\" textureImage=\"999 AAAA\"",
        ] {
            let data = Data(
                "<xournal><page width=\"99\" height=\"99\"><background/><layer><stroke width=\"1\" \(texture)>1 1 9 9</stroke></layer></page></xournal>"
                    .utf8)
            let read = try await engine.load(InkDocument(data))
            #expect(read.warnings.map(\.code.name) == ["ink-image-broken"], "\(texture)")
            #expect(read.ink.pages[0].strokes[0].texture == nil)
        }
        #expect(InkTextureImage(Data(count: 49), side: 7) == nil)
        #expect(InkTextureImage(Data(count: 5), side: 8) == nil)
        await engine.shutDown()
    }
}

extension Pixmap {
    /// A grey, opaque PNG.
    fileprivate convenience init?(size: Int, _ value: (Int, Int) -> UInt8) {
        nonisolated(unsafe) let bytes = UnsafeMutableRawPointer.allocate(byteCount: 4 * size * size, alignment: 4)
        for index in 0..<(size * size) {
            let grey = value(index % size, index / size)
            bytes.storeBytes(
                of: UInt32(grey) | UInt32(grey) << 8 | UInt32(grey) << 16 | 0xFF00_0000, toByteOffset: 4 * index,
                as: UInt32.self)
        }
        self.init(base: bytes, size: PixelSize(width: size, height: size), bytesPerRow: 4 * size, isOpaque: true) {
            bytes.deallocate()
        }
    }

    fileprivate var png: Data? { try? PNGEncoder().encode(self, scale: 1) }
}
