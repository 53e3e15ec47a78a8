import COffstageSystem
import COffstageWebKit
import CWebKitGTK
import Foundation
import Offstage

/// A private X server in memory (Xvfb) for the hidden windows, which ends with this process, however that ends.
///
/// A process has one, for all its engines, from its first engine on: where the program has no display, this is GDK's default
/// one, and GDK ends the program when it loses its connection to that.
///
/// Nobody else can connect: it demands a cookie that only this process and its children can read.
@MainActor
final class VirtualDisplay {
    /// As in `DISPLAY`: `:7`.
    let name: String
    /// Holds the cookie; never touches a disk. Open as long as the server may read it.
    let authority: Int32

    /// The server's socket.
    var socket: String { "/tmp/.X11-unix/X\(name.dropFirst())" }

    private var process: pid_t = 0
    private var isHeld = false
    private var isLost = false
    /// Connections that no window uses now.
    private var idle: [OpaquePointer] = []

    private static var starting: Task<Result<VirtualDisplay, EngineUnavailable>, Never>?
    /// The server that runs now.
    private static var server: pid_t = 0
    /// Held open.
    private var connection: OpaquePointer?
    private static var current: VirtualDisplay?

    /// Who has windows on it: told when it is lost, and they close them.
    static let losses = Losses()

    /// The server has ended; the next drawing starts another.
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

    /// What the server asks of who connects.
    private struct Cookie {
        static let kind = "MIT-MAGIC-COOKIE-1"
        let bytes = (0..<16).map { _ in CChar.random(in: CChar.min...CChar.max) }
    }

    private init(name: String, authority: Int32, cookie: Cookie) {
        self.name = name
        self.authority = authority
        self.cookie = cookie
    }

    /// The process's display, started if need be.
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
        // Not a lasting failure: what was missing may be there the next time.
        if case .failure = result, starting == task { starting = nil }
        return try result.get()
    }

    /// Starts the server and waits until it takes connections, without blocking the loop (about 20 ms).
    static func start() async throws(EngineUnavailable) -> VirtualDisplay {
        let cookie = Cookie()
        let authority = try write(cookie)
        // Without root the server would not make the folder, and listen on an abstract socket alone.
        if mkdir("/tmp/.X11-unix", 0o1777) == 0 { chmod("/tmp/.X11-unix", 0o1777) }
        let errors = offstage_memory_file("offstage-xvfb-errors")
        var ready: [Int32] = [-1, -1]
        guard offstage_pipe(&ready) == 0, errors >= 0 else {
            throw EngineUnavailable(
                problem: "no file descriptors left (\(String(cString: strerror(errno))))", remedy: "raise `ulimit -n`")
        }
        defer { close(errors) }
        let process = spawn(descriptors: [errors, errors, errors, ready[1], authority])
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
                remedy: "see that /tmp is writable, or run Xvfb by hand")
        }
        let display = VirtualDisplay(name: ":\(number)", authority: authority, cookie: cookie)
        display.process = process
        DisplayWatch.watch(process, DisplaySocket(path: display.socket))
        return display
    }

    private static func spawn(descriptors: [Int32]) -> pid_t {
        // Nothing is ever shown on it: the screen's size is what `device-width` asks for. GLX would load Mesa, 50 MB and
        // 20 ms. With -terminate the server ends when the last client leaves: a second string beside the signal at our
        // death.
        let arguments = [
            "Xvfb", "-displayfd", "3", "-auth", "/proc/self/fd/4", "-screen", "0", "1280x800x24", "-dpi", "96",
            "-extension", "GLX", "-nolisten", "tcp", "-terminate",
        ]
        var argv = arguments.map { strdup($0) } + [nil]
        defer { for argument in argv { free(argument) } }
        return offstage_spawn(&argv, descriptors, Int32(descriptors.count))
    }

    /// An Xauthority file with one entry for any display: family "wild", no address, no display number, a random cookie.
    private static func write(_ cookie: Cookie) throws(EngineUnavailable) -> Int32 {
        func counted(_ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes }
        let entry =
            [255, 255] + counted([]) + counted([]) + counted(Array(Cookie.kind.utf8))
            + counted(cookie.bytes.map(UInt8.init(bitPattern:)))
        let file = offstage_memory_file("offstage-xauthority")
        guard file >= 0, Foundation.write(file, entry, entry.count) == entry.count else {
            throw EngineUnavailable(
                problem: "no memory file for the display's cookie (\(String(cString: strerror(errno))))",
                remedy: "free some memory")
        }
        return file
    }

    /// Reads up to a line's end or the end of the file, off the main thread.
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
        return lines.last.map(String.init) ?? "it said nothing"
    }

    var authorityPath: String { "/proc/\(getpid())/fd/\(authority)" }

    /// WebKit's processes want a display to start, though they draw nothing on it: ours, where the program has none.
    private func offerToChildren() {
        // Not into our own environment, which other threads read.
        let isPinned = PinnedEnvironment.isApplied
        let list = isPinned ? ["DISPLAY", name] : PinnedEnvironment.forHelpers(on: name)
        let variables = list.map { strdup($0) } + [nil]
        defer { for variable in variables { free(variable) } }
        offstage_helpers_use_environment(variables.map { UnsafePointer($0) }, isPinned)
    }

    /// What helper processes get has changed.
    static func offerAgain() { current?.offerToChildren() }

    /// Connects once and for good: with the last connection the server would end.
    func hold() throws(EngineUnavailable) {
        if isHeld { return }
        if !PinnedEnvironment.isApplied, gdk_display_get_default() == nil {
            // The program's own comes first, where it has one: the first display is GDK's default.
            gtk_init_check(nil, nil)
        }
        let display = try connect()
        isHeld = true
        (connection, Self.current) = (display, self)
        offstage_stage_enter(display)
        offstage_stage_leave()
    }

    /// What the program's user or its environment would have otherwise.
    private func pin(_ display: OpaquePointer) {
        let screen = gdk_display_get_default_screen(display)
        gdk_x11_display_set_window_scale(display, 1)
        // They set the resolution when they are made.
        gtk_settings_get_for_screen(screen)
        gdk_screen_set_resolution(screen, 96)
        ColorTheme.pin(screen)
    }

    /// A connection that no other window uses, from an earlier one or new: a new one takes some twenty answers of the server, and
    /// so as many switches to another process.
    func takeConnection() throws(EngineUnavailable) -> OpaquePointer {
        if let connection = idle.popLast() { return connection }
        return try connect()
    }

    /// For the next window, which finds it at scale 1.
    func giveBack(_ connection: OpaquePointer) {
        if isLost { leave(connection) } else { idle.append(connection) }
    }

    private func leave(_ connection: OpaquePointer) {
        // The default display is GDK's own to close.
        if gdk_display_get_default() != connection { offstage_display_close(connection) }
    }

    /// A connection of its own to the display: the device scale factor is the connection's, so views at several scales
    /// work side by side. The first one in a process becomes GDK's default display if there is none.
    func connect() throws(EngineUnavailable) -> OpaquePointer {
        var (kind, bytes) = (Cookie.kind.utf8CString.map { $0 }, cookie.bytes)
        XSetAuthorization(&kind, Int32(kind.count - 1), &bytes, Int32(bytes.count))
        defer { XSetAuthorization(nil, 0, nil, 0) }
        offstage_stage_enter(nil)
        defer { offstage_stage_leave() }
        guard let display = gdk_display_open(name) else {
            throw EngineUnavailable(problem: "the X server \(name) takes no connection", remedy: "run it again")
        }
        DisplayWatch.holdBackGDK()
        if gdk_display_get_default() != display || DisplayWatch.outlivesDefault, DisplayWatch.onLoss == nil {
            offstage_display_survive(display)
        }
        pin(display)
        return display
    }
}
