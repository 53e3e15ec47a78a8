import CGTK
import OffstageGLib
import OffstageGTK

/// The signals of an accessible object.
@MainActor
final class AccessibleEvents {
    /// Signals in their order, such as "state focused on", "active 3", "added 0", "removed 2", "name", "inserted …".
    private(set) var seen: [String] = []
    private let handlers = SignalHandlers()

    init(_ object: Accessible) {
        typealias Object = UnsafeMutableRawPointer
        let active: @convention(c) (Object, UnsafeMutablePointer<AtkObject>?, gpointer) -> Void = { _, child, data in
            onMainActor((child, data)) { child, data in
                note("active \(child.map { atk_object_get_index_in_parent($0) } ?? -1)", data)
            }
        }
        let selected: @convention(c) (Object, gpointer) -> Void = { _, data in
            onMainActor(data) { note("selection", $0) }
        }
        let state: @convention(c) (Object, UnsafePointer<CChar>, gboolean, gpointer) -> Void = { _, name, value, data in
            onMainActor((name, data)) { name, data in
                note("state \(String(cString: name)) \(value == 0 ? "off" : "on")", data)
            }
        }
        let added: @convention(c) (Object, guint, gpointer?, gpointer) -> Void = { _, index, _, data in
            onMainActor(data) { note("added \(index)", $0) }
        }
        let removed: @convention(c) (Object, guint, gpointer?, gpointer) -> Void = { _, index, _, data in
            onMainActor(data) { note("removed \(index)", $0) }
        }
        let named: @convention(c) (Object, gpointer, gpointer) -> Void = { _, _, data in
            onMainActor(data) { note("name", $0) }
        }
        let inserted: @convention(c) (Object, gint, gint, UnsafePointer<CChar>, gpointer) -> Void = {
            _, _, _, text, data in
            onMainActor((text, data)) { note("inserted \(String(cString: $0))", $1) }
        }
        connect("active-descendant-changed", object, unsafeBitCast(active, to: GCallback.self))
        connect("selection-changed", object, unsafeBitCast(selected, to: GCallback.self))
        connect("state-change", object, unsafeBitCast(state, to: GCallback.self))
        connect("children-changed::add", object, unsafeBitCast(added, to: GCallback.self))
        connect("children-changed::remove", object, unsafeBitCast(removed, to: GCallback.self))
        connect("notify::accessible-name", object, unsafeBitCast(named, to: GCallback.self))
        connect("text-insert", object, unsafeBitCast(inserted, to: GCallback.self))
    }

    /// The signals since the last call.
    func take() -> [String] {
        defer { seen = [] }
        return seen
    }

    /// Does nothing if the object lacks the signal, because it lacks the signal's interface.
    private func connect(_ signal: String, _ object: Accessible, _ callback: GCallback) {
        let name = signal.split(separator: ":")[0]
        let type = UnsafeMutableRawPointer(object.object).load(as: GTypeInstance.self).g_class.pointee.g_type
        if g_signal_lookup(String(name), type) != 0 { handlers.connect(signal, of: object.object, callback, to: self) }
    }

    fileprivate func add(_ event: String) { seen.append(event) }
}

@MainActor
private func note(_ event: String, _ data: gpointer) { receiver(data, as: AccessibleEvents.self)?.add(event) }
