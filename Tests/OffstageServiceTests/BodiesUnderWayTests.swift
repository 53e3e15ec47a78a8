import Foundation
import Testing

@testable import OffstageService

/// Large bodies that are being sent, in memory and in temporary files.
@Suite struct BodiesUnderWayTests {
    private func answer(_ tag: String, bytes: Int = 100_000) -> HTTPAnswer {
        HTTPAnswer(200, "image/png", Data(repeating: 1, count: bytes)).with("ETag", tag)
    }

    /// A client that reads many large pictures slowly can use half of the file space. Other clients still get their
    /// share.
    @Test func aSlowReaderHasAShareOfTheFiles() async {
        let bodies = BodiesUnderWay(memoryLimit: 100_000, fileLimit: 1_000_000)
        var held: [HTTPAnswer] = []
        for number in 0..<20 { held.append(await bodies.hold(answer("\(number)"), for: ClientShare(name: "slow"))) }
        // One body in memory, five in files.
        #expect(held.map(\.status) == [Int](repeating: 200, count: 6) + [Int](repeating: 429, count: 14))
        let other = await bodies.hold(answer("x"), for: ClientShare(name: "other"))
        #expect(other.status == 200 && other.held?.count == 100_000)
        held = []
        #expect(await bodies.hold(answer("y"), for: ClientShare(name: "slow")).status == 200)
    }

    /// Equal bodies are held once, whoever reads them.
    @Test func equalBodiesAreHeldOnce() async {
        let bodies = BodiesUnderWay(memoryLimit: 100_000, fileLimit: 200_000)
        let first = await bodies.hold(answer("a"), for: ClientShare(name: "one"))
        for _ in 0..<20 {
            let other = await bodies.hold(answer("a"), for: ClientShare(name: "other"))
            #expect(other.held === first.held)
        }
        #expect(bodies.hasReaders)
    }
}
