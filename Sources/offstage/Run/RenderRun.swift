import Foundation
import Offstage
import OffstageWebKit

/// Draws a list of inputs and reports the results in its order.
@MainActor
struct RenderRun {
    let inputs: [Input]
    let output: OutputPlan
    let views: Int
    /// Sets a snippet's options from the command line's.
    let configure: @Sendable (inout Snippet) -> Void

    /// Returns the number of failed inputs.
    ///
    /// - Throws: `EngineUnavailable`; the run then ends with the first picture that meets it. What `report` throws ends it too.
    func run(_ report: (PictureResult) throws -> Void) async throws -> Int {
        let renderer = Renderer(engine: WebEngine(views: views))
        defer { ChildProcesses.endAll() }
        // Enough under way that a view never waits for a file or an encoder, and no more: each holds a picture.
        let window = 2 * views + 2
        var failed = 0
        try await withThrowingTaskGroup(of: (Int, PictureResult).self) { group in
            var next = 0
            var finished: [Int: PictureResult] = [:]
            func startNext() {
                guard next < inputs.count else { return }
                let (index, picture) = (next, Picture(input: inputs[next], output: output, configure: configure))
                group.addTask { (index, await picture.draw(with: renderer)) }
                next += 1
            }
            for _ in 0..<window { startNext() }
            var reported = 0
            while let (index, result) = try await group.next() {
                if let unavailable = result.unavailable { throw unavailable }
                startNext()
                finished[index] = result
                while let result = finished.removeValue(forKey: reported) {
                    if result.status == .failed { failed += 1 }
                    try report(result)
                    reported += 1
                }
            }
        }
        await renderer.finish()
        return failed
    }
}
