import Foundation
import SeededRandom
import Testing

/// Every acknowledged change is restored.
struct LossPropertyTests {
    @Test("Nothing is lost in random sequences; INK_SEQUENCES sets how many")
    func sequences() async throws {
        let count = ProcessInfo.processInfo.environment["INK_SEQUENCES"].flatMap { Int($0) } ?? 200
        for seed in Seed.some(count) {
            var model = try await LossModel(seed: seed)
            var problem: String?
            do { problem = try await model.run(steps: 25) } catch { problem = "\(error)" }
            #expect(problem == nil, "OFFSTAGE_TEST_SEED=\(seed): \(model.steps.joined(separator: "; "))")
            if problem != nil { return }
        }
    }
}
