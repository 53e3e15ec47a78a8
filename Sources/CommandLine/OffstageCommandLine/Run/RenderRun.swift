import Foundation
import Offstage

/// Draws a list of pictures and reports the results in its order.
@MainActor
struct RenderRun {
    let pictures: [RenderJob]
    /// Nil if nothing suspends the run.
    let pause: Pause?
    /// The time limit from now on, seconds; nil for none.
    let timeout: Double?

    init(pictures: [RenderJob], width: Int, pause: Pause?, timeout: Double?) {
        (self.pictures, self.pause, self.timeout) = (pictures, pause, timeout)
        window = 2 * width + 2
    }

    enum News {
        /// The results of the next input.
        case results([PictureResult])
        /// The run is suspended, or resumes.
        case paused(Bool)
    }

    private enum Step: Sendable {
        case picture(Int, [PictureResult])
        /// The results of a slice from this index on; nil for a picture that has to be drawn.
        case slice(Int, [[PictureResult]?])
        case paused(Bool)
        case timeIsUp
    }

    /// The number of drawings in progress. It is large enough that a view never waits for a file or an encoder, but not
    /// larger, because each drawing has a picture in memory.
    var window: Int

    struct Outcome {
        /// The number of failed inputs.
        var failed = 0
        /// True if the time limit ended the run; some drawings may still be in progress.
        var isCutShort = false
    }

    /// - Throws: `EngineUnavailable` from the first picture that fails with it, which ends the run. Errors of `report`
    ///   end it, too.
    func run(with renderer: Renderer, _ report: (News) throws -> Void) async throws -> Outcome {
        var outcome = Outcome()
        // A task group would wait for its last drawing after the time limit.
        let (steps, news) = AsyncStream.makeStream(of: Step.self)
        var others: [Task<Void, Never>] = []
        defer { for task in others { task.cancel() } }
        var isPaused = false
        var underWay = 0
        // Pictures that are not cached. Those that have not begun are kept in order, because results are reported in
        // order.
        var rest: [Int] = []
        var begun = 0
        func fill() {
            // During a suspension, only cached pictures are delivered.
            while !isPaused, underWay < window, begun < rest.count {
                let index = rest[begun]
                begun += 1
                // Use the same priority: another priority has separate threads, and each transfer is a context switch.
                Task.detached(priority: Task.currentPriority) { [picture = pictures[index]] in
                    news.yield(.picture(index, await picture.draw(with: renderer)))
                }
                underWay += 1
            }
        }
        if renderer.lendsFiles, pictures.contains(where: \.options.usesCache) {
            let step = CachedSlice.size * CachedSlice.lanes
            for lane in 0..<CachedSlice.lanes {
                others.append(
                    Task.detached(priority: Task.currentPriority) { [pictures] in
                        for first in stride(from: lane * CachedSlice.size, to: pictures.count, by: step) {
                            if Task.isCancelled { return }
                            let slice = CachedSlice(of: pictures, from: first)
                            news.yield(.slice(first, await slice.write(with: renderer)))
                        }
                    })
            }
        } else {
            rest = Array(pictures.indices)
        }
        if let changes = pause?.changes() {
            others.append(Task.detached { for await isPaused in changes { news.yield(.paused(isPaused)) } })
        }
        if let timeout {
            others.append(
                Task.detached {
                    guard (try? await Task.sleep(for: .seconds(timeout))) != nil else { return }
                    news.yield(.timeIsUp)
                })
        }
        fill()
        var finished: [Int: [PictureResult]] = [:]
        var reported = 0
        var all = steps.makeAsyncIterator()
        while reported < pictures.count, let step = await all.next(isolation: MainActor.shared) {
            switch step {
            case .paused(let isOn):
                if isOn != isPaused { try report(.paused(isOn)) }
                isPaused = isOn
            case .timeIsUp:
                outcome.isCutShort = true
                for index in reported..<pictures.count where finished[index] == nil {
                    finished[index] = [pictures[index].failure(afterRunOf: timeout ?? 0)]
                }
            case .slice(let first, let slice):
                var missing: [Int] = []
                for (index, results) in zip(first..., slice) {
                    if let results { finished[index] = results } else { missing.append(index) }
                }
                // A slice can arrive before the one that precedes it.
                let place = rest[begun...].lastIndex { $0 < first }.map { $0 + 1 } ?? begun
                rest.insert(contentsOf: missing, at: place)
            case .picture(let index, let results):
                underWay -= 1
                for result in results { if let unavailable = result.unavailable { throw unavailable } }
                finished[index] = results
            }
            if !outcome.isCutShort { fill() }
            while let results = finished.removeValue(forKey: reported) {
                if results.contains(where: { $0.status == .failed || !$0.failures.isEmpty }) { outcome.failed += 1 }
                try report(.results(results))
                reported += 1
            }
        }
        return outcome
    }
}
