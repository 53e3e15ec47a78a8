import Offstage

/// A request for the picture of a row far from the screen, at the lowest priority.
struct FarRequest {
    var request: any DrawingRequest
    var options: RenderOptions
    var renderer: Renderer
}

/// Gets the texts and links of requested rows that are not near the screen. Requests their pictures one at a time, at
/// the lowest priority, starting with the most recently requested row.
@MainActor
final class FarTexts {
    private struct Wanted {
        weak var row: AccessibleRow?
    }

    weak var rows: AccessibleRows?
    private var waiting: [Wanted] = []
    private var task: Task<Void, Never>?

    /// The maximum number of waiting rows. A client may walk through the whole list; the oldest requests are dropped.
    private static let limit = 32

    func want(_ row: AccessibleRow) {
        waiting.append(Wanted(row: row))
        if waiting.count > Self.limit { waiting.removeFirst() }
        start()
    }

    func close() {
        waiting = []
        task?.cancel()
    }

    private func start() {
        guard task == nil, !waiting.isEmpty else { return }
        task = Task { [weak self] in
            if let wanted = self?.waiting.popLast() { await self?.get(wanted) }
            self?.task = nil
            self?.start()
        }
    }

    /// While this waits, the row may be renumbered, come near the screen or leave the list. The list may be released,
    /// because nothing here retains it.
    private func get(_ wanted: Wanted) async {
        if let number = far(wanted), let source = rows?.owner?.rowSource, !source.isReady(at: number) {
            await source.makeReady(at: number)
        }
        guard let number = far(wanted), let far = rows?.owner?.farRequest(of: number),
            let picture = try? await far.renderer.picture(for: far.request, options: far.options),
            self.far(wanted) != nil, let row = wanted.row
        else { return }
        rows?.setContent(of: row, picture)
    }

    /// The number of a row that is in the list and not near the screen.
    private func far(_ wanted: Wanted) -> Int? {
        guard let row = wanted.row, let rows, rows.contains(row), rows.owner?.isNearScreen(row.number) == false else {
            return nil
        }
        return row.number
    }
}
