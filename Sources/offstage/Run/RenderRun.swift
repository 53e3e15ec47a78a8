import Foundation
import Offstage
import OffstageWebKit

/// Draws a list of pictures and reports the results in its order.
@MainActor
struct RenderRun {
    let pictures: [Picture]
    let views: Int
    /// Nil where nothing pauses the run.
    let pause: Pause?

    enum News {
        /// Of the next input.
        case results([PictureResult])
        /// The run is paused from now on, or goes on.
        case paused(Bool)
    }

    private enum Step: Sendable {
        case picture(Int, [PictureResult])
        case paused(Bool)
        case end
    }

    /// How many pictures are under way. Enough that a view never waits for a file or an encoder, and no more: each holds a
    /// picture. In a pause as many again are asked for, because kept ones still come: those that would have to be drawn find
    /// the queue full, and are put off.
    nonisolated static func window(views: Int) -> Int { 2 * views + 2 }

    /// Returns the number of failed inputs.
    ///
    /// - Throws: `EngineUnavailable`; the run then ends with the first picture that meets it. What `report` throws ends it too.
    func run(with renderer: Renderer<WebEngine>, _ report: (News) throws -> Void) async throws -> Int {
        let window = Self.window(views: views)
        var failed = 0
        try await withThrowingTaskGroup(of: Step.self) { group in
            var isPaused = false
            var underWay = 0
            var (next, putOff) = (0, [Int]())
            func fill() {
                while underWay < (isPaused ? 2 * window : window) {
                    let index: Int
                    if !isPaused, !putOff.isEmpty {
                        index = putOff.removeFirst()
                    } else if next < pictures.count {
                        index = next
                        next += 1
                    } else {
                        return
                    }
                    var picture = pictures[index]
                    if isPaused { picture.options.priority = .veryLow }
                    group.addTask { [picture] in .picture(index, await picture.draw(with: renderer)) }
                    underWay += 1
                }
            }
            let changes = pause?.changes()
            func awaitPause() {
                guard let changes else { return }
                group.addTask {
                    for await isPaused in changes { return .paused(isPaused) }
                    return .end
                }
            }
            awaitPause()
            fill()
            var finished: [Int: [PictureResult]] = [:]
            var reported = 0
            while reported < pictures.count, let step = try await group.next() {
                switch step {
                case .end: break
                case .paused(let isOn):
                    if isOn != isPaused { try report(.paused(isOn)) }
                    isPaused = isOn
                    awaitPause()
                case .picture(let index, let results):
                    underWay -= 1
                    for result in results { if let unavailable = result.unavailable { throw unavailable } }
                    if results.contains(where: \.isPutOff) {
                        putOff.insert(index, at: putOff.firstIndex { $0 > index } ?? putOff.endIndex)
                    } else {
                        finished[index] = results
                    }
                }
                fill()
                while let results = finished.removeValue(forKey: reported) {
                    if results.contains(where: { $0.status == .failed }) { failed += 1 }
                    try report(.results(results))
                    reported += 1
                }
            }
            group.cancelAll()
        }
        return failed
    }
}
