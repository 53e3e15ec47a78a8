import CGTK
import CTestEvents
import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// The display of a GTK program with its own windows: an in-memory X server that the tests start, and GDK's default
/// display.
@MainActor
enum HostDisplay {
    /// Starts the display unless it is already running.
    static func start() { _ = server }

    private static let server: Process = {
        // A developer's desktop settings must not change a picture.
        for (name, value) in [
            "GSETTINGS_BACKEND": "memory", "GTK_THEME": "Adwaita", "NO_AT_BRIDGE": "1", "LC_ALL": "C.UTF-8",
            "XDG_CONFIG_HOME": "/nonexistent", "GDK_BACKEND": "x11", "GTK_OVERLAY_SCROLLING": "1",
        ] { setenv(name, value, 1) }
        for name in ["GDK_SCALE", "GDK_DPI_SCALE", "GTK_MODULES", "XAUTHORITY", "WAYLAND_DISPLAY"] { unsetenv(name) }
        Strictness.apply()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/Xvfb")
        // The server ends with this process, which is its last client.
        process.arguments = [
            "-displayfd", "1", "-screen", "0", "1000x800x24", "-dpi", "96", "-nolisten", "tcp", "-terminate",
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try! process.run()
        var number: [UInt8] = []
        while let byte = try? output.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 { number.append(byte) }
        setenv("DISPLAY", ":" + String(decoding: number, as: UTF8.self), 1)
        // Where dbus-x11 is installed, GLib would start a D-Bus session for the display, which would outlive the tests.
        // GLib ends this test bus with the tests, and starts no other bus.
        let display = String(cString: getenv("DISPLAY"))
        g_test_dbus_up(g_test_dbus_new(G_TEST_DBUS_NONE))
        setenv("DISPLAY", display, 1)
        precondition(gtk_init_check(nil, nil) != 0, "GTK finds no display")
        MainLoop.attach()
        return process
    }()
}

/// Runs GLib's loop until a condition is true. The time limit allows for a busy machine.
///
/// - Returns: false if the condition never became true.
@MainActor
@discardableResult
func pump(seconds: Double = 20, until isDone: () -> Bool) -> Bool {
    let end = ContinuousClock.now.advanced(by: .seconds(seconds))
    // The waker ends an iteration without events. It has a low priority: if the condition takes longer than the
    // interval, the waker is always due and would keep frames from running.
    let waker = g_timeout_add_full(G_PRIORITY_LOW, 5, { _ in 1 }, nil, nil)
    defer { g_source_remove(waker) }
    while !isDone() {
        if ContinuousClock.now > end { return false }
        g_main_context_iteration(nil, 1)
    }
    return true
}

/// Waits until the renderer has finished and stored everything, so that a test can remove the store's folder.
@MainActor
func finish(_ renderer: Renderer) {
    var isDone = false
    Task {
        await renderer.finish()
        isDone = true
    }
    XCTAssert(pump { isDone })
}

/// Runs the loop for this number of frames of a widget.
@MainActor
func pump(frames: Int, of widget: UnsafeMutablePointer<GtkWidget>) {
    let clock = gtk_widget_get_frame_clock(widget)
    for _ in 0..<frames {
        let before = gdk_frame_clock_get_frame_counter(clock)
        gtk_widget_queue_draw(widget)
        pump { gdk_frame_clock_get_frame_counter(clock) > before }
    }
    while g_main_context_iteration(nil, 0) != 0 {}
}

/// Runs a test's body on the main actor. XCTest calls test methods there, although they are not declared so.
func onMain<Value: Sendable>(_ body: @MainActor () throws -> Value) rethrows -> Value {
    try MainActor.assumeIsolated(body)
}
