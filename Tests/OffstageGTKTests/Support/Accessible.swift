import CGTK
import COffstageGTK
import XCTest

/// An accessible object, with the methods that a client uses.
@MainActor
final class Accessible {
    let object: UnsafeMutablePointer<AtkObject>

    /// - Parameter object: this object takes over the reference.
    init(owning object: UnsafeMutablePointer<AtkObject>) { self.object = object }

    /// The accessible object of a widget.
    convenience init(of widget: UnsafeMutablePointer<GtkWidget>) {
        let object = gtk_widget_get_accessible(widget)!
        g_object_ref(object)
        self.init(owning: object)
    }

    isolated deinit { g_object_unref(object) }

    private var interface: OpaquePointer { OpaquePointer(object) }

    // MARK: The object

    var name: String { String(cString: atk_object_get_name(object)) }
    var description: String { atk_object_get_description(object).map { String(cString: $0) } ?? "" }
    var role: AtkRole { atk_object_get_role(object) }
    var index: Int { Int(atk_object_get_index_in_parent(object)) }
    var parent: UnsafeMutablePointer<AtkObject>? { atk_object_get_parent(object) }
    var count: Int { Int(atk_object_get_n_accessible_children(object)) }
    var children: [Accessible] { (0..<count).compactMap { self[$0] } }

    subscript(index: Int) -> Accessible? {
        atk_object_ref_accessible_child(object, Int32(index)).map { Accessible(owning: $0) }
    }

    func has(_ state: AtkStateType) -> Bool {
        let states = atk_object_ref_state_set(object)
        defer { g_object_unref(states) }
        return atk_state_set_contains_state(states, state) != 0
    }

    /// True if the object has the states of a row on the screen.
    var isShowing: Bool { has(ATK_STATE_SHOWING) && has(ATK_STATE_VISIBLE) }

    // MARK: Text

    var text: String? { text(0, -1) }

    func text(_ start: Int32, _ end: Int32) -> String? { take(atk_text_get_text(interface, start, end)) }

    func string(at offset: Int32, _ granularity: AtkTextGranularity) -> String? {
        var (start, end) = (gint(), gint())
        return take(atk_text_get_string_at_offset(interface, offset, granularity, &start, &end))
    }

    var characterCount: Int { Int(atk_text_get_character_count(interface)) }

    func characterBox(_ offset: Int32) -> [Int] {
        var (x, y, width, height) = (gint(), gint(), gint(), gint())
        atk_text_get_character_extents(interface, offset, &x, &y, &width, &height, ATK_XY_SCREEN)
        return [x, y, width, height].map(Int.init)
    }

    private func take(_ text: UnsafeMutablePointer<CChar>?) -> String? {
        defer { g_free(text) }
        return text.map { String(cString: $0) }
    }

    // MARK: Links in the text

    var linkCount: Int { Int(atk_hypertext_get_n_links(interface)) }

    func linkRange(_ index: Int32) -> Range<Int>? {
        guard let link = atk_hypertext_get_link(interface, index) else { return nil }
        return Int(atk_hyperlink_get_start_index(link))..<Int(atk_hyperlink_get_end_index(link))
    }

    func linkTarget(_ index: Int32) -> String? {
        atk_hypertext_get_link(interface, index).flatMap { take(atk_hyperlink_get_uri($0, 0)) }
    }

    // MARK: The screen

    func box(_ type: AtkCoordType = ATK_XY_SCREEN) -> [Int] {
        var (x, y, width, height) = (gint(), gint(), gint(), gint())
        atk_component_get_extents(interface, &x, &y, &width, &height, type)
        return [x, y, width, height].map(Int.init)
    }

    func child(atX x: Int, y: Int) -> Accessible? {
        atk_component_ref_accessible_at_point(interface, Int32(x), Int32(y), ATK_XY_SCREEN)
            .map { Accessible(owning: $0) }
    }

    func grabFocus() -> Bool { atk_component_grab_focus(interface) != 0 }

    @discardableResult
    func act(_ index: Int32 = 0) -> Bool { atk_action_do_action(interface, index) != 0 }

    // MARK: Selection

    func select(_ index: Int) -> Bool { atk_selection_add_selection(interface, Int32(index)) != 0 }
    func clearSelection() -> Bool { atk_selection_clear_selection(interface) != 0 }

    /// The indexes of the selected children.
    var selection: [Int] {
        (0..<atk_selection_get_selection_count(interface)).compactMap {
            atk_selection_ref_selection(interface, $0).map { Accessible(owning: $0).index }
        }
    }

    // MARK: Table

    var tableRows: [Int] {
        (0..<atk_table_get_n_rows(interface)).compactMap {
            atk_table_ref_at(interface, $0, 0).map { Accessible(owning: $0).index }
        }
    }
}
