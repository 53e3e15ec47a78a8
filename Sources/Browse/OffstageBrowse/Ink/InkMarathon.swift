import CGTK
import Foundation
import OffstageGTK
import OffstageInk
import OffstageWebKit

/// Two hours of writing, without the pauses: 20,000 strokes, with undo, erasing, zoom, scrolling and saving. The writer
/// clears the page when it is full, so that the document does not grow: any growth is a leak.
@MainActor
struct InkMarathon {
    private let canvas: InkCanvas
    private static let strokes = 20_000
    /// The number of strokes on a full page.
    private static let page = 1_000

    init(_ canvas: InkCanvas) { self.canvas = canvas }

    /// - Returns: the memory after each tenth, MiB.
    func run() async -> [Double] {
        var memory: [Double] = []
        let hand = InkHand(on: canvas.widget)
        clear()
        // Full after the first tenth, so that the undo history does not count as a leak.
        canvas.change { $0.historyLimit = 2 << 20 }
        for number in 1...Self.strokes {
            canvas.mode = .draw
            hand.write(60, atX: 60 + Double(number * 37 % 700), y: 40 + Double(number * 61 % 800), seed: number)
            if number % 20 == 0 { canvas.undo() }
            if number % 40 == 0 { canvas.redo() }
            if number % 50 == 0 {
                canvas.mode = .erase(.part, radius: 6)
                hand.write(20, atX: 60 + Double(number * 13 % 700), y: 40 + Double(number * 7 % 800), seed: number)
            }
            if number % 200 == 0 {
                canvas.zoom = 1.5
                await rest()
                canvas.zoom = 1
            }
            if number % 500 == 0 { canvas.save() }
            if number % Self.page == 0 { clear() }
            if number % 10 == 0 { await rest() }
            if number % (Self.strokes / 10) == 0 {
                await canvas.file?.synchronize()
                memory.append(Self.memory)
            }
        }
        return memory
    }

    /// Removes everything, as a gesture.
    private func clear() {
        canvas.change { editor in
            let layers = editor.ink.pages[0].layers
            editor.remove(
                layers.indices.flatMap { layer in
                    layers[layer].items.indices.map { InkPlace(page: 0, layer: layer, index: $0) }
                })
        }
    }

    /// Let the window paint and other threads finish.
    private func rest() async {
        await Task.yield()
        while !canvas.isComplete || gtk_events_pending() != 0 {
            _ = g_main_context_iteration(nil, 0)
            await Task.yield()
        }
    }

    /// The private memory of this process, MiB.
    private static var memory: Double {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        guard fields.count > 2, let resident = Double(fields[1]), let shared = Double(fields[2]) else { return 0 }
        return (resident - shared) * Double(sysconf(Int32(_SC_PAGESIZE))) / 1_048_576
    }
}
