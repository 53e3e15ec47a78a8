import CGTK
import Offstage
import OffstageGLib
import OffstageLists

/// Knows the items that can be live.
@MainActor
protocol LiveItemOwner: AnyObject {
    /// True for an item on the screen or near it.
    func isNear(_ item: Int) -> Bool
    func liveRequest(for item: Int) -> (any DrawingRequest)?
    /// The position and size of an item's live view in the canvas.
    func liveBox(of item: Int) -> GtkAllocation
    /// Called when the view shows the same content as the picture, before it becomes visible.
    func liveViewIsReady(_ view: any LiveRow, of item: Int)
    /// True if the view should get the keyboard's focus.
    func givesFocus(to item: Int) -> Bool
    func linkClicked(_ target: String, in item: Int)
    /// Called when a live view has ended by itself.
    func liveViewEnded(_ reason: LiveEnd, of item: Int)
}

/// The items of a canvas that are live: views that replace the items' pictures.
@MainActor
final class LiveItems {
    private let canvas: Canvas
    private let source: any ListSource
    /// One provider for each type of request whose items can be live.
    private let providers: [any LiveRowProvider]
    private let limit: Int
    weak var owner: (any LiveItemOwner)?
    /// The live items, the one that has been live longest first. Some of their views may not be ready yet.
    private(set) var entries: [LiveEntry] = []

    init(_ canvas: Canvas, source: any ListSource, providers: [any LiveRowProvider], limit: Int) {
        self.canvas = canvas
        self.source = source
        self.providers = providers
        self.limit = limit
    }

    var items: [Int] { entries.lazy.filter(\.isAccepted).map(\.item) }

    func isShown(_ item: Int) -> Bool { entries.contains { $0.item == item && $0.isShown } }

    /// The widget of the live view that an item shows.
    func view(of item: Int) -> UnsafeMutablePointer<GtkWidget>? {
        entries.first { $0.item == item && $0.isShown }?.view?.widget
    }

    // MARK: Begin and end

    /// Makes an item live. Has no effect if no provider makes a view for it.
    ///
    /// - Parameter isUntilPicture: true for an item that is live only until `pictureArrived`. It does not replace
    ///   another live item.
    func begin(_ item: Int, isUntilPicture: Bool = false) {
        guard !providers.isEmpty, canvas.isThere, limit > 0, owner?.isNear(item) == true else { return }
        if let known = entries.first(where: { $0.item == item }) {
            if !isUntilPicture { known.isUntilPicture = false }
            return
        }
        if isUntilPicture, entries.count >= limit { return }
        let entry = LiveEntry(item: item, isUntilPicture: isUntilPicture)
        var maker: LiveRowMaker?
        if source.isReady(at: item) {
            maker = self.maker(for: item)
            if maker == nil { return }
            accept(entry)
        } else {
            entries.append(entry)
            makeRoom { !$0.isAccepted }
        }
        // After each step, the item may have another number, or may have left, so look both up again.
        entry.task = Task { [weak self, source] in
            do {
                guard self?.isWanted(entry) == true else { return }
                if maker == nil {
                    await source.makeReady(at: entry.item)
                    maker = self?.acceptReady(entry)
                }
                guard let view = try await maker?() else { return }
                guard self?.place(view, for: entry) == true else { return view.close() }
                try await view.show()
                self?.reveal(entry)
            } catch {
                let reason = (error as? DrawingError) ?? .engineFailed("\(error)")
                self?.end(entry, .failed(reason))
            }
        }
    }

    /// Ends the live view of an item, which then shows its picture again.
    func end(_ item: Int) { for entry in entries where entry.item == item { end(entry) } }

    /// Ends the live view of an item that was live because its picture was missing, unless the view has the keyboard's
    /// focus.
    func pictureArrived(of item: Int) {
        for entry in entries where entry.item == item && entry.isUntilPicture {
            if entry.isShown, let view = entry.view, gtk_widget_is_focus(view.widget) != 0 { continue }
            end(entry)
        }
    }

    func endAll() { for entry in entries { end(entry) } }

    /// - Parameter reason: nil if the user, the host or the list ends the live view.
    private func end(_ entry: LiveEntry, _ reason: LiveEnd? = nil) {
        let isWanted = entries.contains { $0 === entry }
        entries.removeAll { $0 === entry }
        let hadFocus = entry.isShown && entry.view.map { gtk_widget_is_focus($0.widget) != 0 } ?? false
        entry.close()
        guard canvas.isThere else { return }
        if hadFocus { gtk_widget_grab_focus(canvas.inner) }
        canvas.queueDraw()
        // Do not report the failure of a view that was already given up.
        if let reason, isWanted { owner?.liveViewEnded(reason, of: entry.item) }
    }

    /// Closes all live views without a report.
    func closeAll() {
        let old = entries
        entries = []
        for entry in old { entry.close() }
    }

    /// Moves live views to the current positions of their items, and ends those whose items have left.
    func place() {
        for entry in entries where owner?.isNear(entry.item) != true { end(entry) }
        for entry in entries {
            guard isWanted(entry), let view = entry.view, var box = owner?.liveBox(of: entry.item) else { continue }
            var old = GtkAllocation()
            gtk_widget_get_allocation(view.widget, &old)
            if old.x == box.x, old.y == box.y, old.width == box.width, old.height == box.height { continue }
            gtk_widget_size_allocate(view.widget, &box)
        }
    }

    // MARK: Insertion and removal

    /// Takes out the entries of items that are being removed. The caller closes them once all numbers are right: GTK
    /// and the host may query items then.
    func take(_ items: Range<Int>) -> [LiveEntry] {
        let gone = entries.filter { items.contains($0.item) }
        entries.removeAll { items.contains($0.item) }
        return gone
    }

    func renumber(_ shifted: (Int) -> Int) { for entry in entries { entry.item = shifted(entry.item) } }

    // MARK: Steps of an entry

    /// - Returns: nil if the item has nothing to show, or no provider makes a view for it.
    private func maker(for item: Int) -> LiveRowMaker? {
        guard let request = owner?.liveRequest(for: item) else { return nil }
        return providers.lazy.compactMap { $0.maker(for: request) }.first
    }

    /// Accepts an entry whose item was not ready before; ends it if no view can be made for it.
    private func acceptReady(_ entry: LiveEntry) -> LiveRowMaker? {
        guard isWanted(entry) else { return nil }
        guard let maker = maker(for: entry.item) else {
            end(entry)
            return nil
        }
        accept(entry)
        return maker
    }

    private func isWanted(_ entry: LiveEntry) -> Bool { canvas.isThere && entries.contains { $0 === entry } }

    /// Counts the entry as live from now on, and makes room for it.
    private func accept(_ entry: LiveEntry) {
        entry.isAccepted = true
        entries.removeAll { $0 === entry }
        entries.append(entry)
        makeRoom(\.isAccepted)
    }

    /// Closes the oldest entries of a kind that exceed the limit.
    private func makeRoom(_ isCounted: (LiveEntry) -> Bool) {
        let old = entries.filter(isCounted).dropLast(limit)
        entries.removeAll { entry in old.contains { $0 === entry } }
        for entry in old { entry.close() }
    }

    /// Places the view on the screen, because it is only drawn there, but keeps it invisible for now.
    ///
    /// - Returns: false if the item has left.
    private func place(_ view: any LiveRow, for entry: LiveEntry) -> Bool {
        guard isWanted(entry) else { return false }
        entry.view = view
        view.onLink = { [weak self, weak entry] target in
            guard let self, let entry else { return }
            owner?.linkClicked(target, in: entry.item)
        }
        view.onEnd = { [weak self, weak entry] reason in
            guard let self, let entry else { return }
            end(entry, reason)
        }
        gtk_widget_set_opacity(view.widget, 0)
        gtk_container_add(cast(canvas.inner), view.widget)
        gtk_widget_show(view.widget)
        place()
        return isWanted(entry)
    }

    private func reveal(_ entry: LiveEntry) {
        guard isWanted(entry), let view = entry.view else { return }
        entry.isShown = true
        owner?.liveViewIsReady(view, of: entry.item)
        place()
        guard isWanted(entry) else { return }
        gtk_widget_set_opacity(view.widget, 1)
        if owner?.givesFocus(to: entry.item) == true { gtk_widget_grab_focus(view.widget) }
    }
}
