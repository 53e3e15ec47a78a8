import Foundation
import Offstage
import OffstageImages

/// Draws mutated image files, each twice in a worker that has just drawn a marked picture. Both pictures must have
/// the same bytes and show nothing of the marked picture. A decoder that reads memory outside its own would show the
/// marked picture, or other bytes each time.
struct ForeignMemory {
    let seconds: Double
    let seed: UInt64
    let folders: [String]

    /// Colours that no mutated file has by chance in this many px.
    private static let (marks, most): ([[UInt8]], Int) = ([[0xA7, 0x3D, 0xC1], [0x4B, 0xD2, 0x97]], 32)

    /// Returns true if nothing went wrong.
    func run() async -> Bool {
        let images = folders.flatMap(Files.images).map { [UInt8]($0.bytes) }
        if images.isEmpty { return false }
        print("seed \(seed), \(images.count) image files")
        let engine = ImageEngine(workers: 1)
        var mutator = Mutator(documents: images, seed: seed)
        var (files, pictures, faults) = (0, 0, 0)
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            files += 1
            let file = mutator.next()
            var drawn: [[UInt8]?] = []
            for mark in Self.marks {
                // One marked picture for each of the two worker programs.
                for marked in [Self.bitmap(mark), Self.image(mark)] { _ = await draw(marked, with: engine) }
                drawn.append(await draw(file, with: engine))
            }
            if drawn[0] != nil { pictures += 1 }
            let hasMark = zip(drawn, Self.marks).contains { picture, mark in
                picture.map { count(mark, in: $0) > Self.most } ?? false
            }
            if drawn[0] == drawn[1], !hasMark { continue }
            faults += 1
            let name = "foreign-memory-\(seed)-\(files)"
            _ = FileManager.default.createFile(atPath: name, contents: file)
            print("\(name): \(hasMark ? "it shows another picture" : "it is not the same twice")")
        }
        await engine.shutDown()
        print("\(files) files, \(pictures) pictures, \(faults) faults")
        return faults == 0
    }

    /// The bytes of the picture, which is not enlarged; nil for an error.
    private func draw(_ data: Data, with engine: ImageEngine) async -> [UInt8]? {
        var file = ImageFile(identifier: "image", data: data)
        (file.geometry.width, file.geometry.height) = (300, 300)
        file.limits.budget.seconds = 20
        guard let drawing = try? await engine.draw(file), case .pixels(let pixmap)? = drawing.pictures.first else {
            return nil
        }
        return (0..<pixmap.size.height).flatMap { y in pixmap.withRow(y) { Array($0) } }
    }

    private func count(_ mark: [UInt8], in pixels: [UInt8]) -> Int {
        stride(from: 0, to: pixels.count, by: 4).count { index in
            pixels[index] == mark[2] && pixels[index + 1] == mark[1] && pixels[index + 2] == mark[0]
        }
    }

    private static let side = 400

    /// A bitmap of one colour.
    private static func bitmap(_ color: [UInt8]) -> Data {
        func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
        let pixels = (0..<side * side).flatMap { _ in color.reversed() }
        return Data(
            Array("BM".utf8) + number(54 + pixels.count, 4) + number(0, 4) + number(54, 4) + number(40, 4)
                + number(side, 4) + number(side, 4) + number(1, 2) + number(24, 2) + number(0, 24) + pixels)
    }

    /// A TIFF file of one colour.
    private static func image(_ color: [UInt8]) -> Data {
        func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
        let pixels = (0..<side * side).flatMap { _ in color }
        let entries: [(tag: Int, type: Int, count: Int, value: Int)] = [
            (256, 3, 1, side), (257, 3, 1, side), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 2), (273, 4, 1, 8),
            (277, 3, 1, 3), (278, 3, 1, side), (279, 4, 1, pixels.count),
        ]
        let directory = entries.flatMap {
            number($0.tag, 2) + number($0.type, 2) + number($0.count, 4) + number($0.value, 4)
        }
        let start = Array("II*\0".utf8) + number(8 + pixels.count, 4)
        return Data(start + pixels + number(entries.count, 2) + directory + number(0, 4))
    }
}
