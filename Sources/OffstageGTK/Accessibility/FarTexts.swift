import Offstage
import OffstageWebKit

/// Gets the texts and links of rows that a client has asked for and that are not near the screen. Requests their pictures one after the
/// other, at the lowest priority, first that of the row that was asked for last.
@MainActor
final class FarTexts {
    private struct Wanted {
        weak var row: AccessibleRow?
    }

    weak var rows: AccessibleRows?
    private var waiting: [Wanted] = []
    private var task: Task<Void, Never>?

    /// The number of rows that may wait. A client may walk through the whole list; the rows that it asked for first are dropped.
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

    /// While this waits, the row may get another number, come near the screen or leave the list, and the list may end.
    private func get(_ wanted: Wanted) async {
        if let number = far(wanted), let source = rows?.list?.source, !source.isReady(at: number) {
            await source.makeReady(at: number)
        }
        guard let (request, options, renderer) = request(for: wanted),
            let picture = try? await renderer.picture(for: request, options: options),
            far(wanted) != nil, let row = wanted.row
        else { return }
        rows?.setContent(of: row, picture)
    }

    /// Nil for a row that has no text in its picture.
    private func request(for wanted: Wanted) -> (any DrawingRequest, RenderOptions, Renderer)? {
        guard let number = far(wanted), let list = rows?.list, list.source.isReady(at: number),
            let request = list.request(at: number), (request as? Snippet)?.keepsAreas != false
        else { return nil }
        let options = RenderOptions(
            priority: .veryLow, group: list.options.group, thumbnail: list.options.thumbnail)
        return (request, options, list.renderer)
    }

    /// The number of a row that is in the list and not near the screen.
    private func far(_ wanted: Wanted) -> Int? {
        guard let row = wanted.row, let rows, rows.contains(row), rows.list?.slots[row.number] == nil else {
            return nil
        }
        return row.number
    }
}
