import Foundation
import Offstage
import Synchronization

/// A row whose picture is its number.
struct NumberRow: DrawingRequest {
    var number: Int
    var width: Int
    var scale: Double
    /// CSS px.
    var height: Int
    /// What is in the row beside its number: a new state of it.
    var version = 0
    var areas: [PictureArea] = []

    var identifier: String { "row/\(number)" }
    var coalescingKey: String? { "\(number) \(width) \(scale) \(height) \(version)" }

    func scaled(to scale: Double) -> NumberRow {
        var row = self
        row.scale = scale
        return row
    }
}

/// Paints a row in the colour that is its number, and takes its time.
final class NumberEngine: Engine {
    let capacity: Int
    /// Milliseconds that the drawing of a row takes.
    let delay: @Sendable (NumberRow) -> Int
    private let state = Mutex<(started: [Int], failing: Set<Int>)>(([], []))

    init(capacity: Int = 2, delay: @escaping @Sendable (NumberRow) -> Int = { _ in 0 }) {
        self.capacity = capacity
        self.delay = delay
    }

    /// Numbers, in the order in which they were begun.
    var started: [Int] { state.withLock { $0.started } }

    func fail(_ number: Int) { state.withLock { _ = $0.failing.insert(number) } }

    func draw(_ row: NumberRow) async throws(DrawingError) -> Drawing {
        let fails = state.withLock { state in
            state.started.append(row.number)
            return state.failing.contains(row.number)
        }
        let delay = delay(row)
        if delay > 0 { try? await Task.sleep(for: .milliseconds(delay)) }
        if fails { throw .engineFailed("told to") }
        let size = PixelSize(width: Int(Double(row.width) * row.scale), height: Int(Double(row.height) * row.scale))
        let pixmap = Pixmap.filled(size: size, isOpaque: true) { bytes in
            let color = UInt32(row.number + row.version << 16) | 0xFF00_0000
            bytes.bindMemory(to: UInt32.self).update(repeating: color)
        }
        var drawing = Drawing(pixmaps: [pixmap], scale: row.scale)
        drawing.contents = [PictureContent(areas: row.areas, text: "Row \(row.number)")]
        return drawing
    }

    func fingerprint(of row: NumberRow) -> Fingerprint? {
        var builder = Fingerprint.Builder()
        builder.add("key", row.coalescingKey ?? "")
        return builder.build()
    }

    func shutDown() async {}
}
