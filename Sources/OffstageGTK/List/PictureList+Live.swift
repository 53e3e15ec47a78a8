import CWebKitGTK
import Offstage
import OffstageGLib
import OffstageWebKit

/// A view that replaces a row's picture and accepts the user's clicks.
@MainActor
public protocol LiveRow: AnyObject {
    var widget: UnsafeMutablePointer<GtkWidget> { get }
    /// The height of the content, GTK px, once it is loaded.
    var height: Int { get }
    /// Called when a link is clicked, with its target as written in the source.
    var onLink: ((String) -> Void)? { get set }
    /// Called when the view ends by itself, for example because its process has ended or hangs.
    var onEnd: ((LiveEnd) -> Void)? { get set }
    /// Waits until the view shows the same as its picture. Called once the widget is on the screen.
    func show() async throws
    /// Ends the view and removes its widget.
    func close()
}

extension LiveView: LiveRow {}

/// A row that is live, or about to be.
@MainActor
final class LiveEntry {
    /// The row's current number.
    var row: Int
    var view: (any LiveRow)?
    var task: Task<Void, Never>?
    /// True once the view shows the same as the picture, and covers it.
    var isShown = false

    init(row: Int) { self.row = row }

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
    /// The live rows, the one that has been live longest first. Some of their views may not be ready yet.
    public var rowsLive: [Int] { liveRows.map(\.row) }

    /// Whether a row shows its live view instead of its picture.
    public func isLive(row: Int) -> Bool { liveRows.contains { $0.row == row && $0.isShown } }

    /// Replaces a row's picture with a live web view, in which users can click links and select text. The view appears
    /// once it shows the same as the picture; until then, or if the view cannot be made, the picture remains. A row
    /// that leaves the screen becomes a picture again, and so does a row whose web process ends or hangs, which calls
    /// `onLiveEnd`.
    ///
    /// Has no effect on a row that is not near the screen, or in a list without a provider of live rows.
    public func makeLive(row: Int) {
        updateSlots()
        guard !liveRowProviders.isEmpty, canvas.isThere, options.liveLimit > 0, slot(of: row) != nil,
            !liveRows.contains(where: { $0.row == row })
        else { return }
        let entry = LiveEntry(row: row)
        var old: [LiveEntry] = []
        while liveRows.count >= options.liveLimit { old.append(liveRows.removeFirst()) }
        liveRows.append(entry)
        for entry in old { entry.close() }
        // After each step, the row may have another number, or may have left, so look both up again.
        entry.task = Task { [weak self, source] in
            do {
                guard self?.isWanted(entry) == true else { return }
                if !source.isReady(at: entry.row) { await source.makeReady(at: entry.row) }
                guard let request = self?.liveRequest(for: entry) else { return }
                guard let view = try await self?.liveRow(for: request) else { return self?.end(entry) ?? () }
                guard self?.place(view, for: entry) == true else { return view.close() }
                try await view.show()
                self?.reveal(entry)
            } catch {
                let reason = (error as? DrawingError) ?? .engineFailed("\(error)")
                self?.end(entry, .failed(reason))
            }
        }
    }

    /// - Returns: nil if no provider makes live rows of this type of request.
    private func liveRow(for request: any DrawingRequest) async throws -> (any LiveRow)? {
        for provider in liveRowProviders {
            if let row = try await provider.row(for: request) { return row }
        }
        return nil
    }

    /// - Returns: nil if the row has left, or has nothing to show and is therefore still again.
    private func liveRequest(for entry: LiveEntry) -> (any DrawingRequest)? {
        guard isWanted(entry) else { return nil }
        let request = request(at: entry.row)
        if request == nil { end(entry) }
        return request
    }

    private func isWanted(_ entry: LiveEntry) -> Bool { canvas.isThere && liveRows.contains { $0 === entry } }

    /// Closes all live rows without calling `onLiveEnd`.
    func closeLiveRows() {
        let old = liveRows
        liveRows = []
        for entry in old { entry.close() }
    }

    /// Shows the row's picture again.
    public func makeStill(row: Int) {
        for entry in liveRows where entry.row == row { end(entry) }
    }

    /// - Parameter reason: nil if the user, the host or the list ends the live row.
    func end(_ entry: LiveEntry, _ reason: LiveEnd? = nil) {
        let isWanted = liveRows.contains { $0 === entry }
        liveRows.removeAll { $0 === entry }
        let hadFocus = entry.isShown && entry.view.map { gtk_widget_is_focus($0.widget) != 0 } ?? false
        entry.close()
        guard canvas.isThere else { return }
        if hadFocus { gtk_widget_grab_focus(canvas.inner) }
        canvas.queueDraw()
        // Do not report a failure of a view that nobody wants any more.
        if let reason, isWanted { onLiveEnd?(entry.row, reason) }
    }

    /// Places the view on the screen, because it is drawn only there, but keeps it invisible for now.
    ///
    /// - Returns: false if the row has left.
    private func place(_ view: any LiveRow, for entry: LiveEntry) -> Bool {
        guard isWanted(entry) else { return false }
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
        return isWanted(entry)
    }

    private func reveal(_ entry: LiveEntry) {
        guard isWanted(entry), let view = entry.view else { return }
        entry.isShown = true
        if slot(of: entry.row)?.picture == nil, view.height > 0 {
            setHeight(view.height + 2 * options.verticalPadding, of: entry.row)
        }
        placeLiveRows()
        guard isWanted(entry) else { return }
        gtk_widget_set_opacity(view.widget, 1)
        if selectedRow == entry.row, gtk_widget_has_focus(canvas.inner) != 0 { gtk_widget_grab_focus(view.widget) }
    }

    /// Moves live views to the current positions of their rows, and ends those whose rows have left.
    func placeLiveRows() {
        for entry in liveRows where !window.near.contains(entry.row) { end(entry) }
        for entry in liveRows {
            guard isWanted(entry), let view = entry.view else { continue }
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
