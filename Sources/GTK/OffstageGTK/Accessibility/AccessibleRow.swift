import CGTK
import COffstageGTK
import Offstage

/// A row and its links, for assistive technology. When it is released, its object becomes defunct; clients may keep it.
@MainActor
final class AccessibleRow {
    /// An object of class `OffstageRow`.
    let object: UnsafeMutablePointer<AtkObject>
    /// The number of the row.
    private(set) var number: Int
    private(set) var links: [AccessibleLink] = []
    private var description: String?

    /// - Parameters:
    ///   - row: the number of the row.
    ///   - content: the content of the row's picture, if there is one.
    ///   - plainText: the text of a row without a picture, or whose picture has no text.
    ///   - canvas: the widget on which the row is drawn.
    init(
        row: Int, _ content: PictureContent?, plainText: @autoclosure () -> String?,
        on canvas: UnsafeMutablePointer<GtkWidget>
    ) {
        let text = Self.text(of: content, or: plainText)
        object = offstage_row_new(canvas, Int32(clamping: row), text)
        number = row
        addLinks(AccessibleLink.links(in: content?.areas ?? [], text: text))
    }

    isolated deinit {
        offstage_row_end(object)
        g_object_unref(object)
    }

    func setRow(_ row: Int) {
        number = row
        offstage_row_set_number(object, Int32(clamping: row))
    }

    func setDescription(_ text: String?) {
        if text == description { return }
        description = text
        atk_object_set_description(object, text ?? "")
    }

    private static func text(of content: PictureContent?, or plainText: () -> String?) -> String {
        let own = content?.text ?? ""
        return own.isEmpty ? plainText() ?? "" : own
    }

    /// Replaces the text and the links, and notifies clients of the changes.
    func setContent(_ content: PictureContent?, plainText: @autoclosure () -> String?) {
        let text = Self.text(of: content, or: plainText)
        let new = AccessibleLink.links(in: content?.areas ?? [], text: text)
        offstage_row_set_text(object, text)
        if new == links { return }
        offstage_row_clear_links(object)
        addLinks(new)
        offstage_row_links_changed(object)
    }

    private func addLinks(_ new: [AccessibleLink]) {
        links = new
        for link in new {
            offstage_row_add_link(
                object, link.name, link.target, Int32(link.range?.lowerBound ?? -1), Int32(link.range?.upperBound ?? -1)
            )
        }
    }

    /// True if only the list refers to the object, so that replacing it goes unnoticed.
    var isUnknown: Bool { UnsafeMutableRawPointer(object).load(as: GObject.self).ref_count == 1 }

    func notify(_ state: AtkStateType, _ value: Bool) { offstage_row_notify(object, state, value ? 1 : 0) }

    /// Makes a live view the row's last child, as long as the view exists.
    func setView(_ view: UnsafeMutablePointer<GtkWidget>) { offstage_row_set_view(object, view) }
}
