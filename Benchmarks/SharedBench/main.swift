import Foundation
import Offstage
import OffstageShared
import Synchronization

// Simulated machines that draw nothing: they claim jobs, wait for the time of a drawing, and store generated
// pictures, so that only the database and the connection to it are measured. `bench-shared CONNECTION NODES SLOTS
// MILLISECONDS BYTES COUNT` ends when COUNT jobs are done, and prints the jobs per second. With `-` as the
// connection, it prints the rate of the same waits without a queue.

/// Limits the number of bodies that run at once, like the views of an engine.
final class Slots: Sendable {
    private let state: Mutex<(free: Int, waiting: [CheckedContinuation<Void, Never>])>

    init(_ count: Int) { state = Mutex((count, [])) }

    func run(_ body: () async -> Void) async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.free == 0 { state.waiting.append(continuation) } else { state.free -= 1 }
                return state.waiting.isEmpty
            }
            if isFree { continuation.resume() }
        }
        await body()
        let next = state.withLock { state in
            if state.waiting.isEmpty { state.free += 1 }
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
        next?.resume()
    }
}

/// A picture that is unique for this key.
func picture(for key: Digest, bytes count: Int) -> SharedDrawing {
    var data = Data(capacity: count + 8)
    var number = key.withBytes { $0.load(as: UInt64.self) } | 1
    while data.count < count {
        number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        withUnsafeBytes(of: number) { data.append(contentsOf: $0) }
    }
    let info = PictureInfo(
        fingerprint: Fingerprint.Builder().build(), format: "png", size: PixelSize(width: 400, height: 200), scale: 1,
        isOpaque: true)
    return SharedDrawing(parts: [.init(info: info, content: Digest(of: data), data: data)])
}

func rate(_ count: Int, since start: ContinuousClock.Instant) -> Int {
    Int((Double(count) / (start.duration(to: .now) / .seconds(1))).rounded())
}

func withoutQueue(loops: Int, pause: Duration, count: Int) async -> Int {
    let start = ContinuousClock.now
    await withTaskGroup(of: Void.self) { group in
        for _ in 0..<loops {
            group.addTask { for _ in 0..<count / loops { try? await Task.sleep(for: pause) } }
        }
    }
    return rate(count, since: start)
}

func withQueue(
    _ address: SharedAddress, nodes: Int, slots: Int, pause: Duration, bytes: Int, count: Int
) async throws -> Int {
    var shelves: [PostgresShelf] = []
    for _ in 0..<nodes {
        let identity = NodeIdentity(machineClass: "bench", parts: [], slots: slots, version: "bench")
        let shelf = PostgresShelf(address, identity) { print($0) }
        try await shelf.start()
        shelves.append(shelf)
    }
    let left = Atomic(count)
    let (ended, ending) = AsyncStream<Void>.makeStream()
    let workers = shelves.map { shelf in
        let views = Slots(slots)
        return SharedWorker(shelf, slots: slots, free: { 2 * slots }) { job in
            await views.run { if pause > .zero { try? await Task.sleep(for: pause) } }
            shelf.keep([(job.key, picture(for: job.key, bytes: bytes))], areNew: true)
            if left.subtract(1, ordering: .relaxed).newValue == 0 { ending.finish() }
            return nil
        }
    }
    let start = ContinuousClock.now
    await withTaskGroup(of: Void.self) { group in
        for worker in workers { group.addTask { await worker.run() } }
        group.addTask {
            for await _ in ended {}
            for worker in workers { worker.stop() }
        }
    }
    // Wait until everything has been stored.
    await withTaskGroup(of: Void.self) { group in
        for shelf in shelves { group.addTask { await shelf.stop() } }
    }
    return rate(count, since: start)
}

let words = CommandLine.arguments
let numbers = words.dropFirst(2).compactMap { Double($0) }
guard words.count == 7, numbers.count == 5, numbers.allSatisfy({ $0 >= 0 }), numbers[0] >= 1, numbers[1] >= 1 else {
    print("usage: bench-shared CONNECTION|- NODES SLOTS MILLISECONDS BYTES COUNT")
    exit(2)
}
let (nodes, slots, count) = (Int(numbers[0]), Int(numbers[1]), Int(numbers[4]))
let pause = Duration.seconds(numbers[2] / 1000)
if words[1] == "-" {
    print(await withoutQueue(loops: nodes * slots, pause: pause, count: count))
} else {
    let address = try SharedAddress(words[1])
    print(
        try await withQueue(
            address, nodes: nodes, slots: slots, pause: pause, bytes: Int(numbers[3]), count: count))
}
