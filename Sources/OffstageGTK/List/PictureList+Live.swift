import CWebKitGTK
import Offstage
import OffstageWebKit

/// A view that stands in a row's place and takes the user's clicks.
@MainActor
public protocol LiveRow: AnyObject {
    var widget: UnsafeMutablePointer<GtkWidget> { get }
    /// Px of the list, of the content, once it is there.
    var height: Int { get }
    /// Called when a link is clicked, with where it leads, as the source has it.
    var onLink: ((String) -> Void)? { get set }
    /// Called when it is over with the view by itself: its process has ended, say, or hangs.
    var onEnd: ((LiveEnd) -> Void)? { get set }
    /// Waits until it shows what its picture shows. Called once the widget is on the screen.
    func show() async throws
    /// Ends it; the widget is taken out.
    func close()
}

extension LiveView: LiveRow {}

typealias LiveMaker<Request> = @MainActor (Request) async throws -> any LiveRow

/// A row that is live, or is to be.
@MainActor
final class LiveEntry {
    var row: Int
    let identifier: String
    var view: (any LiveRow)?
    var task: Task<Void, Never>?
    /// It shows what the picture shows, and stands before it.
    var isShown = false

    init(row: Int, identifier: String) {
        self.row = row
        self.identifier = identifier
    }

    func close() {
        task?.cancel()
        task = nil
        view?.onEnd = nil
        view?.onLink = nil
        view?.close()
        view = nil
        isShown = false
    }
}

extension PictureList {
    /// The rows that are live, the one that has been longest first. A view may be on its way still.
    public var rowsLive: [Int] { liveRows.map(\.row) }

    /// Whether a row's live view is there in place of its picture.
    public func isLive(row: Int) -> Bool { liveRows.contains { $0.row == row && $0.isShown } }

    /// Puts a live web view in the place of a row's picture, for its links and to select its text. It comes once it
    /// shows the same; until then, and where it cannot be made, the picture stays. A row that leaves the screen turns
    /// back by itself, and so does one whose web process ends or hangs, which `onLiveEnd` tells.
    ///
    /// Nothing happens for a row that is not near the screen, and in a list whose rows cannot be live.
    public func makeLive(row: Int) {
        updateSlots()
        guard let liveMaker, options.liveLimit > 0, slot(of: row) != nil,
            !liveRows.contains(where: { $0.row == row })
        else { return }
        while liveRows.count >= options.liveLimit { liveRows.removeFirst().close() }
        let entry = LiveEntry(row: row, identifier: source.identifier(at: row))
        liveRows.append(entry)
        entry.task = Task { [weak self, source] in
            do {
                if !source.isReady(at: row) { await source.makeReady(at: row) }
                guard let list = self, list.liveRows.contains(where: { $0 === entry }) else { return }
                guard let request = list.request(at: entry.row) else { return list.end(entry) }
                let view = try await liveMaker(request)
                // The row has left meanwhile.
                guard let self, liveRows.contains(where: { $0 === entry }), canvas.isThere else { return view.close() }
                place(view, for: entry)
                try await view.show()
                if liveRows.contains(where: { $0 === entry }) { reveal(entry) }
            } catch {
                let reason = (error as? DrawingError) ?? .engineFailed("\(error)")
                self?.end(entry, .failed(reason))
            }
        }
    }

    /// Puts the picture back.
    public func makeStill(row: Int) {
        for entry in liveRows where entry.row == row { end(entry) }
    }

    /// - Parameter reason: nil where the user, the host or the list wants it.
    private func end(_ entry: LiveEntry, _ reason: LiveEnd? = nil) {
        let isWanted = liveRows.contains { $0 === entry }
        liveRows.removeAll { $0 === entry }
        let hadFocus = entry.isShown && entry.view.map { gtk_widget_is_focus($0.widget) != 0 } ?? false
        entry.close()
        guard canvas.isThere else { return }
        if hadFocus { gtk_widget_grab_focus(canvas.inner) }
        canvas.queueDraw()
        // What fails once nobody wants it is nobody's concern.
        if let reason, isWanted { onLiveEnd?(entry.row, reason) }
    }

    /// On the screen, as it is drawn only there, but not to be seen yet.
    private func place(_ view: any LiveRow, for entry: LiveEntry) {
        entry.view = view
        view.onLink = { [weak self, weak entry] target in
            guard let self, let entry else { return }
            onLink?(entry.row, target)
        }
        view.onEnd = { [weak self, weak entry] reason in
            guard let self, let entry else { return }
            end(entry, reason)
        }
        gtk_widget_set_opacity(view.widget, 0)
        gtk_container_add(cast(canvas.inner), view.widget)
        gtk_widget_show(view.widget)
        placeLiveRows()
    }

    private func reveal(_ entry: LiveEntry) {
        guard let view = entry.view else { return }
        entry.isShown = true
        if slot(of: entry.row)?.picture == nil, view.height > 0 {
            setHeight(view.height + 2 * options.verticalPadding, of: entry.row)
        }
        placeLiveRows()
        gtk_widget_set_opacity(view.widget, 1)
        if selectedRow == entry.row, gtk_widget_has_focus(canvas.inner) != 0 { gtk_widget_grab_focus(view.widget) }
    }

    /// Where their rows are now; those that have left turn back.
    func placeLiveRows() {
        for entry in liveRows where !window.near.contains(entry.row) { end(entry) }
        for entry in liveRows {
            guard let view = entry.view else { continue }
            let picture = slot(of: entry.row)?.picture
            let height = picture.map { Int(($0.height * factor(of: $0)).rounded(.up)) }
            var box = GtkAllocation(
                x: Int32(pictureLeft), y: Int32((screenTop(of: entry.row)).rounded()) + Int32(options.verticalPadding),
                width: Int32(pictureWidth),
                height: Int32(max(1, height ?? heights[entry.row] - 2 * options.verticalPadding)))
            var old = GtkAllocation()
            gtk_widget_get_allocation(view.widget, &old)
            if old.x == box.x, old.y == box.y, old.width == box.width, old.height == box.height { continue }
            gtk_widget_size_allocate(view.widget, &box)
        }
    }
}
