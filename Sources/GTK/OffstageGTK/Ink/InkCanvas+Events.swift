import CGTK
import Foundation
import OffstageGLib
import OffstageInk

/// GTK's signals.
extension InkCanvas {
    private typealias Widget = UnsafeMutableRawPointer
    private typealias Handler = @convention(c) (Widget, UnsafeMutablePointer<GdkEvent>, gpointer) -> gboolean

    /// All kinds of events that concern pens.
    static let events: [GdkEventMask] = [
        GDK_BUTTON_PRESS_MASK, GDK_BUTTON_RELEASE_MASK, GDK_POINTER_MOTION_MASK, GDK_TOUCH_MASK, GDK_SCROLL_MASK,
        GDK_SMOOTH_SCROLL_MASK, GDK_KEY_PRESS_MASK, GDK_PROXIMITY_IN_MASK, GDK_PROXIMITY_OUT_MASK,
        GDK_TOUCHPAD_GESTURE_MASK, GDK_FOCUS_CHANGE_MASK,
    ]

    func connect() {
        gtk_widget_add_events(area, Self.events.reduce(0) { $0 | Int32(bitPattern: $1.rawValue) })
        let draw: @convention(c) (Widget, OpaquePointer, gpointer) -> gboolean = { _, context, data in
            onMainActor((context, data)) { receiver($1, as: InkCanvas.self)?.draw($0) }
            return 1
        }
        handlers.connect("draw", of: area, unsafeBitCast(draw, to: GCallback.self), to: self)
        let realized: @convention(c) (Widget, gpointer) -> Void = { _, data in
            onMainActor(data) { receiver($0, as: InkCanvas.self)?.takeAllMotions() }
        }
        handlers.connect(
            "realize", of: area, unsafeBitCast(realized, to: GCallback.self), to: self, flags: G_CONNECT_AFTER)
        let allocated: @convention(c) (Widget, Widget, gpointer) -> Void = { _, _, data in
            onMainActor(data) { receiver($0, as: InkCanvas.self)?.resize() }
        }
        handlers.connect(
            "size-allocate", of: area, unsafeBitCast(allocated, to: GCallback.self), to: self, flags: G_CONNECT_AFTER)
        handlers.connect("notify::scale-factor", of: area, unsafeBitCast(allocated, to: GCallback.self), to: self)
        let destroyed: @convention(c) (Widget, gpointer) -> Void = { _, data in
            onMainActor(data) { receiver($0, as: InkCanvas.self)?.noteDestroyed() }
        }
        handlers.connect("destroy", of: area, unsafeBitCast(destroyed, to: GCallback.self), to: self)
        let handler: Handler = {
            onMainActor(($1, $2)) { event, data in
                receiver(data, as: InkCanvas.self)?.handle(event) == true ? 1 : 0
            }
        }
        for signal in [
            "button-press-event", "button-release-event", "motion-notify-event", "touch-event", "scroll-event",
            "proximity-in-event", "proximity-out-event", "key-press-event", "grab-broken-event",
        ] {
            handlers.connect(signal, of: area, unsafeBitCast(handler, to: GCallback.self), to: self)
        }
    }

    /// GDK would otherwise merge the motions of a frame.
    func takeAllMotions() {
        if let window = gtk_widget_get_window(area) { gdk_window_set_event_compression(window, 0) }
    }

    func noteDestroyed() {
        isThere = false
        handlers.disconnect()
        cancelStrokes()
    }

    /// - Returns: true if the event was for the canvas.
    func handle(_ event: UnsafeMutablePointer<GdkEvent>) -> Bool {
        switch event.pointee.type {
        case GDK_PROXIMITY_IN, GDK_PROXIMITY_OUT:
            isPenNear = event.pointee.type == GDK_PROXIMITY_IN
            penTime = g_get_monotonic_time()
            return false
        case GDK_BUTTON_PRESS: return pressed(event)
        case GDK_BUTTON_RELEASE:
            let identifier = identifier(event)
            guard pointers[identifier] != nil else { return false }
            end(identifier, sample(event))
            return true
        case GDK_MOTION_NOTIFY:
            noteDevice(event)
            let identifier = identifier(event)
            guard pointers[identifier] != nil else { return false }
            move(identifier, sample(event))
            return true
        case GDK_TOUCH_BEGIN, GDK_TOUCH_UPDATE, GDK_TOUCH_END, GDK_TOUCH_CANCEL: return touched(event)
        case GDK_SCROLL: return wheelTurned(event)
        case GDK_KEY_PRESS: return keyPressed(event.pointee.key.keyval, event.pointee.key.state)
        case GDK_GRAB_BROKEN:
            cancelStrokes()
            return false
        default: return false
        }
    }

    private func pressed(_ event: UnsafeMutablePointer<GdkEvent>) -> Bool {
        noteDevice(event)
        if !isOverlay { gtk_widget_grab_focus(area) }
        let button = event.pointee.button.button
        let isPen = source(event) == GDK_SOURCE_PEN
        let mode: Mode
        if source(event) == GDK_SOURCE_ERASER || (isPen && button > 1) {
            mode = eraser
        } else if button == 2, !isOverlay {
            mode = .move
        } else if button == 1 {
            mode = self.mode
        } else {
            return false
        }
        let sample = sample(event)
        guard chooseLeaf(x: sample.x, y: sample.y) else { return false }
        begin(identifier(event), sample, mode: mode)
        return true
    }

    /// Remembers that a pen is near: the palm may then rest on the screen.
    private func noteDevice(_ event: UnsafeMutablePointer<GdkEvent>) {
        let source = source(event)
        if source == GDK_SOURCE_PEN || source == GDK_SOURCE_ERASER { penTime = g_get_monotonic_time() }
    }

    /// Identifies the physical device; GDK's master pointers combine several.
    private func identifier(_ event: UnsafeMutablePointer<GdkEvent>) -> Int {
        Int(bitPattern: gdk_event_get_device(event).map { UnsafeRawPointer($0) })
    }

    private func source(_ event: UnsafeMutablePointer<GdkEvent>) -> GdkInputSource {
        if let tool = gdk_event_get_device_tool(event),
            gdk_device_tool_get_tool_type(tool) == GDK_DEVICE_TOOL_TYPE_ERASER
        {
            return GDK_SOURCE_ERASER
        }
        return gdk_event_get_source_device(event).map { gdk_device_get_source($0) } ?? GDK_SOURCE_MOUSE
    }

    func sample(_ event: UnsafeMutablePointer<GdkEvent>) -> InkSample {
        var (x, y) = (0.0, 0.0)
        gdk_event_get_coords(event, &x, &y)
        func axis(_ use: GdkAxisUse) -> Double? {
            var value = 0.0
            return gdk_event_get_axis(event, use, &value) != 0 && value.isFinite ? value : nil
        }
        return InkSample(
            x: x, y: y, pressure: axis(GDK_AXIS_PRESSURE), tiltX: axis(GDK_AXIS_XTILT) ?? 0,
            tiltY: axis(GDK_AXIS_YTILT) ?? 0, time: gdk_event_get_time(event))
    }

    private func wheelTurned(_ event: UnsafeMutablePointer<GdkEvent>) -> Bool {
        let scroll = event.pointee.scroll
        var (x, y) = (0.0, 0.0)
        switch scroll.direction {
        case GDK_SCROLL_UP: y = -1
        case GDK_SCROLL_DOWN: y = 1
        case GDK_SCROLL_LEFT: x = -1
        case GDK_SCROLL_RIGHT: x = 1
        default: (x, y) = (scroll.delta_x, scroll.delta_y)
        }
        guard x.isFinite, y.isFinite else { return true }
        if scroll.state & GDK_CONTROL_MASK.rawValue != 0 {
            setZoom(magnification * pow(1.1, -y), aroundX: scroll.x, y: scroll.y)
        } else {
            let step = 60 * Double(deviceScale)
            self.scroll(x: x * step, y: y * step)
        }
        return true
    }

    func keyPressed(_ key: guint, _ state: guint) -> Bool {
        let isControl = state & GDK_CONTROL_MASK.rawValue != 0
        let isShift = state & GDK_SHIFT_MASK.rawValue != 0
        let step = 60 * Double(deviceScale)
        switch (Int32(key), isControl) {
        case (GDK_KEY_z, true) where !isShift: undo()
        case (GDK_KEY_z, true), (GDK_KEY_Z, true), (GDK_KEY_y, true): redo()
        case (GDK_KEY_s, true): save()
        case (GDK_KEY_plus, true), (GDK_KEY_equal, true), (GDK_KEY_KP_Add, true): zoom *= 1.25
        case (GDK_KEY_minus, true), (GDK_KEY_KP_Subtract, true): zoom /= 1.25
        case (GDK_KEY_0, true), (GDK_KEY_KP_0, true): zoom = 1
        case (GDK_KEY_Escape, false): for identifier in Array(pointers.keys) { cancel(identifier) }
        case (GDK_KEY_Delete, false): deleteSelection()
        case (GDK_KEY_Page_Down, false): show(page: page + 1)
        case (GDK_KEY_Page_Up, false): show(page: page - 1)
        case (GDK_KEY_Left, false): scroll(x: -step, y: 0)
        case (GDK_KEY_Right, false): scroll(x: step, y: 0)
        case (GDK_KEY_Up, false): scroll(x: 0, y: -step)
        case (GDK_KEY_Down, false): scroll(x: 0, y: step)
        default: return false
        }
        return true
    }
}
