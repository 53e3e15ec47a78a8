import Foundation
import Offstage
import Synchronization

/// A row whose picture is its number.
struct NumberRow: DrawingRequest {
    var number: Int
    var width: Int
    var scale: Double
    /// The height in CSS px.
    var height: Int
    /// A version besides the number; it changes the row's state.
    var version = 0
    var areas: [PictureArea] = []

    var name: String?
    var identifier: String {
        get { name ?? "row/\(number)" }
        set { name = newValue }
    }
    var coalescingKey: String? { "\(number) \(width) \(scale) \(height) \(version)" }
}

/// Paints a row in the colour that is its number. Each drawing takes some time.
final class NumberEngine: Engine {
    let capacity: Int
    /// The time to draw a row, in milliseconds.
    let delay: @Sendable (NumberRow) -> Int
    /// Added to each colour, so that two engines' pictures of the same number differ.
    let tint: Int
    private let state = Mutex<(started: [Int], failing: Set<Int>)>(([], []))
    private let held = Mutex<(isHeld: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    init(capacity: Int = 2, tint: Int = 0, delay: @escaping @Sendable (NumberRow) -> Int = { _ in 0 }) {
        self.capacity = capacity
        self.tint = tint
        self.delay = delay
    }

    /// The numbers of the drawings, in the order in which they started.
    var started: [Int] { state.withLock { $0.started } }

    func fail(_ number: Int) { state.withLock { _ = $0.failing.insert(number) } }

    /// Holds drawings that start from now on until `release`.
    func hold() { held.withLock { $0.isHeld = true } }

    func release() {
        let waiting = held.withLock { held in
            defer { held = (false, []) }
            return held.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    private func passHold() async {
        await withCheckedContinuation { continuation in
            let passes = held.withLock { held in
                if held.isHeld { held.waiting.append(continuation) }
                return !held.isHeld
            }
            if passes { continuation.resume() }
        }
    }

    func draw(_ row: NumberRow) async throws(DrawingError) -> Drawing {
        let fails = state.withLock { state in
            state.started.append(row.number)
            return state.failing.contains(row.number)
        }
        let delay = delay(row)
        if delay > 0 { try? await Task.sleep(for: .milliseconds(delay)) }
        await passHold()
        if fails { throw .engineFailed("told to") }
        let size = PixelSize(width: Int(Double(row.width) * row.scale), height: Int(Double(row.height) * row.scale))
        let pixmap = Pixmap.filled(size: size, isOpaque: true) { bytes in
            let color = UInt32(row.number + tint + row.version << 16) | 0xFF00_0000
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
