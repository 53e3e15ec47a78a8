import CGTK
import Offstage
import OffstageGTK
import OffstageWebKit

/// PDF documents: their pages replace the list in the window.
extension BrowseWindow {
    /// Reads the documents, and draws their first pages ahead. A single document is opened at once.
    func startReading() {
        if books.books.isEmpty { return }
        if rows.jobs.count == 1, rows.rowCount == 1 { return open(row: 0) }
        reading = Task { [weak self] in
            await self?.books.readAll()
            guard let self, !Task.isCancelled else { return }
            makeReader()
            if !isReading { reader?.view.rest() }
        }
    }

    private func makeReader() {
        if reader != nil { return }
        let reader = BrowseReader(books, renderer)
        reader.onMessage = { [weak self] in self?.bar.say($0) }
        reader.onLeave = { [weak self] in self?.leaveReader() }
        reader.onSavable = { [weak self] in self?.bar.showSave($0) }
        bar.onSave = { [weak reader] in reader?.save() }
        reader.view.onZoom = { [weak self] in self?.bar.showZoom($0) }
        reader.view.books = books.books
        self.reader = reader
    }

    /// Shows the pages of a row's document, or plays its sound.
    func open(row: Int) {
        if isSound(row: row) { return play(row: row) }
        let input = rows.inputNumber(at: row)
        guard let document = books.document(ofInput: input) else { return }
        makeReader()
        guard let reader else { return }
        if !isReading {
            isReading = true
            gtk_widget_hide(view.widget)
            gtk_box_pack_start(cast(box), reader.widget, 1, 1, 0)
            gtk_widget_show(reader.widget)
        }
        Task { await reader.open(document) }
    }

    private func leaveReader() {
        guard isReading, let reader else { return }
        isReading = false
        bar.showSave(false)
        gtk_container_remove(cast(box), reader.widget)
        gtk_widget_show(view.widget)
        gtk_widget_grab_focus(view.widget)
        reader.view.rest()
    }

    func setZoom(_ zoom: Double) {
        if isReading { reader?.view.zoom = zoom } else { view.zoom = zoom }
    }

    func searchPages(_ text: String, goesOn: Bool) {
        if goesOn { reader?.view.findNext() } else { reader?.view.find(text) }
    }
}
