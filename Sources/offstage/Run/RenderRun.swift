import Foundation
import Offstage
import OffstageWebKit

/// Draws a list of pictures and reports the results in its order.
@MainActor
struct RenderRun {
    let pictures: [Picture]
    let views: Int

    /// Returns the number of failed inputs.
    ///
    /// - Throws: `EngineUnavailable`; the run then ends with the first picture that meets it. What `report` throws ends it too.
    func run(with renderer: Renderer<WebEngine>, _ report: ([PictureResult]) throws -> Void) async throws -> Int {
        // Enough under way that a view never waits for a file or an encoder, and no more: each holds a picture.
        let window = 2 * views + 2
        var failed = 0
        try await withThrowingTaskGroup(of: (Int, [PictureResult]).self) { group in
            var next = 0
            var finished: [Int: [PictureResult]] = [:]
            func startNext() {
                guard next < pictures.count else { return }
                let (index, picture) = (next, pictures[next])
                group.addTask { (index, await picture.draw(with: renderer)) }
                next += 1
            }
            for _ in 0..<window { startNext() }
            var reported = 0
            while let (index, results) = try await group.next() {
                for result in results { if let unavailable = result.unavailable { throw unavailable } }
                startNext()
                finished[index] = results
                while let results = finished.removeValue(forKey: reported) {
                    if results.contains(where: { $0.status == .failed }) { failed += 1 }
                    try report(results)
                    reported += 1
                }
            }
        }
        return failed
    }
}
