import Foundation
import Offstage
import Synchronization

/// A test document whose number determines its pixels.
struct Document: DrawingRequest {
    var identifier: String
    var number: Int
    var scale = 1.0

    init(_ number: Int, _ identifier: String? = nil) {
        self.number = number
        self.identifier = identifier ?? "document/\(number)"
    }

    var coalescingKey: Int? { number }
}

/// Draws documents and counts the drawings. A test can hold drawings back.
final class NodeEngine: Engine {
    let capacity = 2
    private let counts = Mutex<[Int: Int]>([:])
    private let gate = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((true, []))
    private let begun = AsyncStream<Int>.makeStream()
    /// The content of the one file that documents with negative numbers use.
    let file = Mutex("a")

    /// Whether document 666 ends its process.
    let accidents = Mutex(true)

    /// The number of drawings of each document.
    var drawn: [Int: Int] { counts.withLock { $0 } }

    /// Holds drawings until `open`.
    func close() { gate.withLock { $0.isOpen = false } }

    func open() {
        let waiting = gate.withLock { gate in
            defer { gate = (true, []) }
            return gate.waiting
        }
        for one in waiting { one.resume() }
    }

    /// Returns when a drawing has started.
    func begins() async { for await _ in begun.stream { return } }

    func draw(_ document: Document) async throws(DrawingError) -> Drawing {
        counts.withLock { $0[document.number, default: 0] += 1 }
        begun.continuation.yield(document.number)
        await withCheckedContinuation { continuation in
            let isOpen = gate.withLock { gate in
                if !gate.isOpen { gate.waiting.append(continuation) }
                return gate.isOpen
            }
            if isOpen { continuation.resume() }
        }
        if document.number == 666, accidents.withLock({ $0 }) { throw .engineCrashed }
        if document.number == 404 { throw .unusable(SourceProblem("not-well-formed", "it is not well-formed")) }
        let content = document.number < 0 ? file.withLock { $0 } : ""
        let seed = Digest(of: "\(document.number) \(content)").withBytes { $0.load(as: UInt64.self) }
        // One picture in five is larger than one part of a blob.
        let size = PixelSize(width: 100, height: document.number % 5 == 4 ? 2000 : 20)
        let pixmap = Pixmap.filled(size: size, isOpaque: true) { bytes in
            var state = seed | 1
            for index in bytes.indices {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[index] = index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: state >> 40)
            }
        }
        var drawing = Drawing(pixmaps: [pixmap], scale: 1)
        if document.number < 0 { drawing.dependencies = [Dependency(path: "file", digest: Digest(of: content))] }
        return drawing
    }

    func fingerprint(of document: Document) -> Fingerprint? {
        var builder = Fingerprint.Builder()
        builder.add("number", "\(document.number)")
        return builder.build()
    }

    func shutDown() async {}

    func digest(of path: String, for document: Document) async -> Digest? { Digest(of: file.withLock { $0 }) }
}
