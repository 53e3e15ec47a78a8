import COffstageSystem
import COffstageWebKit
import CWebKitGTK
import Foundation
import Offstage

/// A private X server in memory (Xvfb) for the hidden windows. It ends with this process, however the process ends.
///
/// A process has one display for all its engines, from its first engine on. If the program has no display, this is GDK's
/// default display, and GDK ends the program when it loses the connection to it.
///
/// Nobody else can connect: the server requires a cookie that only this process and its children can read.
@MainActor
final class VirtualDisplay {
    /// The value of `DISPLAY`, such as `:7`.
    let name: String
    /// The descriptor of a memory file with the cookie, which is never written to a disk. It stays open as long as the
    /// server may read it.
    let authority: Int32

    /// The path of the server's socket.
    var socket: String { "/tmp/.X11-unix/X\(name.dropFirst())" }

    private var process: pid_t = 0
    private var isHeld = false
    private var isLost = false
    /// Connections that no window currently uses.
    private var idle: [OpaquePointer] = []

    private static var starting: Task<Result<VirtualDisplay, EngineUnavailable>, Never>?
    /// The process of the running server.
    private static var server: pid_t = 0
    /// The connection that stays open (see `hold`).
    private var connection: OpaquePointer?
    private static var current: VirtualDisplay?

    /// The observers of the display's loss. Each one has windows on the display and closes them when it is lost.
    static let losses = Losses()

    /// Handles the end of the server. The next drawing starts another one.
    static func lose(_ process: pid_t, _ loss: EngineUnavailable) {
        guard process == server else { return }
        (server, starting) = (0, nil)
        current?.isLost = true
        losses.tell(loss)
        for connection in current?.idle ?? [] { current?.leave(connection) }
        if let connection = current?.connection,
            connection != gdk_display_get_default() || DisplayWatch.outlivesDefault
        {
            offstage_display_leave_lost(connection)
        }
        current = nil
    }

    private let cookie: Cookie

    /// The secret with which clients authenticate to the server.
    private struct Cookie {
        static let kind = "MIT-MAGIC-COOKIE-1"
        let bytes = (0..<16).map { _ in CChar.random(in: CChar.min...CChar.max) }
    }

    private init(name: String, authority: Int32, cookie: Cookie) {
        self.name = name
        self.authority = authority
        self.cookie = cookie
    }

    /// The process's display. Starts it if necessary.
    static func shared() async throws(EngineUnavailable) -> VirtualDisplay {
        let task =
            starting
            ?? Task {
                do throws(EngineUnavailable) {
                    let display = try await start()
                    display.offerToChildren()
                    server = display.process
                    return .success(display)
                } catch { return .failure(error) }
            }
        starting = task
        let result = await task.value
        // The failure may be temporary, so the next call tries again.
        if case .failure = result, starting == task { starting = nil }
        return try result.get()
    }

    /// Starts the server and waits until it accepts connections, in about 20 ms, without blocking the main loop.
    static func start() async throws(EngineUnavailable) -> VirtualDisplay {
        let cookie = Cookie()
        let authority = try write(cookie)
        // Without root the server cannot create this folder, and would listen only on an abstract socket.
        if mkdir("/tmp/.X11-unix", 0o1777) == 0 { chmod("/tmp/.X11-unix", 0o1777) }
        let errors = offstage_memory_file("offstage-xvfb-errors")
        var ready: [Int32] = [-1, -1]
        guard offstage_pipe(&ready) == 0, errors >= 0 else {
            throw EngineUnavailable(
                problem: "no file descriptors left (\(String(cString: strerror(errno))))", remedy: "raise `ulimit -n`")
        }
        defer { close(errors) }
        let process = spawn(number: freeNumber(), descriptors: [errors, errors, errors, ready[1], authority])
        let code = errno
        close(ready[1])
        guard process > 0 else {
            close(ready[0])
            close(authority)
            throw EngineUnavailable(
                problem: "Xvfb cannot be started: \(String(cString: strerror(code)))",
                remedy: "install the Debian package xvfb")
        }
        let number = await firstLine(of: ready[0])
        close(ready[0])
        guard !number.isEmpty else {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
            close(authority)
            throw EngineUnavailable(
                problem: "Xvfb ended at once: \(lastLine(of: errors))",
                remedy: "make sure that /tmp is writable, or run Xvfb by hand")
        }
        let display = VirtualDisplay(name: ":\(number)", authority: authority, cookie: cookie)
        display.process = process
        DisplayWatch.watch(process, DisplaySocket(path: display.socket))
        return display
    }

    /// A display number that no socket in `/tmp` has. The server itself would take the first number whose abstract
    /// socket is free. A program in another network namespace has its own abstract sockets, so the two servers would
    /// replace each other's files.
    private static func freeNumber() -> Int {
        while true {
            let number = Int.random(in: 1000..<59_000)
            if access("/tmp/.X11-unix/X\(number)", F_OK) != 0 { return number }
        }
    }

    private static func spawn(number: Int, descriptors: [Int32]) -> pid_t {
        // Nothing is ever shown on the screen; its size is the value of `device-width`. GLX would load Mesa, which
        // takes 50 MB and 20 ms. With -terminate, the server ends when its last client disconnects: a second safeguard,
        // in addition to the signal when this process ends.
        let arguments = [
            "Xvfb", ":\(number)", "-displayfd", "3", "-auth", "/proc/self/fd/4", "-screen", "0", "1280x800x24", "-dpi",
            "96",
            "-extension", "GLX", "-nolisten", "tcp", "-terminate",
        ]
        var argv = arguments.map { strdup($0) } + [nil]
        defer { for argument in argv { free(argument) } }
        return offstage_spawn(&argv, descriptors, Int32(descriptors.count))
    }

    /// Writes an Xauthority file with one entry for any display: family "wild", no address, no display number, a random cookie.
    private static func write(_ cookie: Cookie) throws(EngineUnavailable) -> Int32 {
        func counted(_ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes }
        let entry =
            [255, 255] + counted([]) + counted([]) + counted(Array(Cookie.kind.utf8))
            + counted(cookie.bytes.map(UInt8.init(bitPattern:)))
        let file = offstage_memory_file("offstage-xauthority")
        guard file >= 0, Foundation.write(file, entry, entry.count) == entry.count else {
            throw EngineUnavailable(
                problem: "cannot create a memory file for the display's cookie (\(String(cString: strerror(errno))))",
                remedy: "free some memory")
        }
        return file
    }

    /// Reads up to the end of a line or of the file, off the main thread.
    private static func firstLine(of descriptor: Int32) async -> String {
        await Task.detached {
            var text: [UInt8] = []
            var byte: UInt8 = 0
            while read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { text.append(byte) }
            return String(decoding: text, as: UTF8.self)
        }.value
    }

    private static func lastLine(of file: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = max(0, pread(file, &buffer, buffer.count, 0))
        let lines = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n")
        return lines.last.map(String.init) ?? "it printed no message"
    }

    var authorityPath: String { "/proc/\(getpid())/fd/\(authority)" }

    /// WebKit's processes need a display to start, although they draw nothing on it. They get this one if the program has none.
    private func offerToChildren() {
        // The variables do not go into this process's own environment, which other threads read.
        let variables = PinnedEnvironment.forHelpers(on: name).map { strdup($0) } + [nil]
        defer { for variable in variables { free(variable) } }
        offstage_helpers_use_environment(variables.map { UnsafePointer($0) }, PinnedEnvironment.isApplied)
    }

    /// Call this when the environment of WebKit's processes has changed.
    static func offerAgain() { current?.offerToChildren() }

    /// Opens a connection that stays open: the server ends with its last connection.
    func hold() throws(EngineUnavailable) {
        if isHeld { return }
        if !PinnedEnvironment.isApplied, gdk_display_get_default() == nil {
            // If the program has a display of its own, connect to that first: the first display becomes GDK's default.
            gtk_init_check(nil, nil)
        }
        let display = try connect()
        isHeld = true
        (connection, Self.current) = (display, self)
        offstage_stage_enter(display)
        offstage_stage_leave()
    }

    /// Overrides values from the user or the environment.
    private func pin(_ display: OpaquePointer) {
        let screen = gdk_display_get_default_screen(display)
        gdk_x11_display_set_window_scale(display, 1)
        // The settings set the resolution when they are created, so create them first.
        gtk_settings_get_for_screen(screen)
        gdk_screen_set_resolution(screen, 96)
        ColorTheme.pin(screen)
    }

    /// Returns an idle connection or a new one. Opening a connection takes about twenty round trips to the server, each with a
    /// switch to another process.
    func takeConnection() throws(EngineUnavailable) -> OpaquePointer {
        if let connection = idle.popLast() { return connection }
        return try connect()
    }

    /// Gives a connection back for the next window, which gets it at scale 1.
    func giveBack(_ connection: OpaquePointer) {
        if isLost { leave(connection) } else { idle.append(connection) }
    }

    private func leave(_ connection: OpaquePointer) {
        // GDK itself closes its default display.
        if gdk_display_get_default() != connection { offstage_display_close(connection) }
    }

    /// Opens a separate connection to the display. The device scale factor belongs to the connection, so views at several
    /// scales work side by side. The first connection of a process becomes GDK's default display if none exists.
    func connect() throws(EngineUnavailable) -> OpaquePointer {
        var (kind, bytes) = (Cookie.kind.utf8CString.map { $0 }, cookie.bytes)
        XSetAuthorization(&kind, Int32(kind.count - 1), &bytes, Int32(bytes.count))
        defer { XSetAuthorization(nil, 0, nil, 0) }
        offstage_stage_enter(nil)
        defer { offstage_stage_leave() }
        guard let display = gdk_display_open(name) else {
            throw EngineUnavailable(
                problem: "the X server \(name) does not accept connections", remedy: "run the command again")
        }
        DisplayWatch.holdBackGDK()
        if gdk_display_get_default() != display || DisplayWatch.outlivesDefault, DisplayWatch.onLoss == nil {
            offstage_display_survive(display)
        }
        pin(display)
        return display
    }
}
