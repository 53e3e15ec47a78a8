import COffstageGTK
import CWebKitGTK
import Offstage

/// A row and its links, for assistive technology.
@MainActor
final class AccessibleRow {
    /// An object of class `OffstagePart`.
    let object: UnsafeMutablePointer<AtkObject>
    private let canvas: UnsafeMutablePointer<GtkWidget>
    private var row: Int
    private var links: [(area: PictureArea, object: UnsafeMutablePointer<AtkObject>)] = []

    init(row: Int, name: String?, on canvas: UnsafeMutablePointer<GtkWidget>) {
        self.canvas = canvas
        self.row = row
        object = offstage_part_new(canvas, ATK_ROLE_LIST_ITEM, Int32(row), -1)
        if let name { atk_object_set_name(object, name) }
    }

    isolated deinit {
        for link in links { g_object_unref(link.object) }
        g_object_unref(object)
    }

    func setRow(_ row: Int) {
        self.row = row
        offstage_part_set_row(object, Int32(row))
        for link in links { offstage_part_set_row(link.object, Int32(row)) }
    }

    /// Sets the picture's text, if it has any, as the accessible name in place of the source's plain text.
    func setPicture(_ image: RenderedPicture) {
        if let text = image.text, !text.isEmpty { atk_object_set_name(object, text) }
        let old = links
        links = image.areas.enumerated().compactMap { index, area in
            guard let target = area.target else { return nil }
            let link = offstage_part_new(canvas, ATK_ROLE_LINK, Int32(row), Int32(index))!
            atk_object_set_name(link, target)
            return (area, link)
        }
        var children = links.map { Optional($0.object) }
        offstage_part_set_children(object, &children, Int32(children.count))
        for link in old { g_object_unref(link.object) }
    }

    /// - Parameters:
    ///   - box: the box of the row, GTK px of the canvas.
    ///   - left, top: the top left corner of the picture, GTK px of the canvas.
    ///   - factor: GTK px per CSS px of the picture's areas.
    func setPlace(_ box: GdkRectangle, left: Double, top: Double, factor: Double) {
        offstage_part_set_box(object, box.x, box.y, box.width, box.height)
        for link in links {
            offstage_part_set_box(
                link.object, Int32(left + link.area.x * factor), Int32(top + link.area.y * factor),
                Int32((link.area.width * factor).rounded(.up)), Int32((link.area.height * factor).rounded(.up)))
        }
    }

    func setSelected(_ isSelected: Bool) { offstage_part_set_selected(object, isSelected ? 1 : 0) }
}

extension PictureList {
    /// Updates the accessible objects of the visible rows. Does nothing unless assistive technology is watching.
    func updateParts() {
        guard canvas.isThere, offstage_canvas_is_watched(canvas.inner) != 0 else { return }
        var objects: [UnsafeMutablePointer<AtkObject>?] = []
        for row in slots.window.visible {
            guard row < layout.count, let slot = slots[row] else { continue }
            let part = slot.part ?? newPart(for: slot)
            slot.part = part
            let (y, box, pictureBox) = (screenTop(of: row), layout.box(of: row), layout.pictureBox(of: row))
            part.setPlace(
                GdkRectangle(x: 0, y: Int32(y), width: Int32(box.width), height: Int32(box.height)),
                left: Double(pictureBox.x), top: y + Double(pictureBox.y - box.y),
                factor: slot.picture.map { sizing.contentFactor(of: $0) } ?? 1)
            part.setSelected(row == selectedRow)
            objects.append(part.object)
        }
        offstage_canvas_set_parts(canvas.inner, &objects, Int32(objects.count))
    }

    private func newPart(for slot: Slot) -> AccessibleRow {
        let part = AccessibleRow(row: slot.item, name: source.plainText(at: slot.item), on: canvas.inner)
        if let picture = slot.picture { part.setPicture(picture.image) }
        return part
    }
}
