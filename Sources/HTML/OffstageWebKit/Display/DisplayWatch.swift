import COffstageSystem
import CWebKitGTK
import Foundation
import Offstage
import Synchronization

/// Handles the loss of the private display: Xvfb was killed or ended by itself.
///
/// GDK ends a program that loses a display, without a message and with exit code 1, as soon as it next reads from the
/// connection. A separate thread notices the loss at once, and a handler blocks GDK until that thread has acted.
///
/// A program with a display of its own continues: the current drawings fail with `EngineUnavailable`, and the next drawing
/// starts another private display.
public enum DisplayWatch {
    /// Called once, on a separate thread, whatever state the main thread is in. It must end the program. Set it before
    /// an engine starts. If it is nil, and the program has no display of its own, GDK ends the program.
    public static var onLoss: (@Sendable (EngineUnavailable) -> Void)? {
        get { state.withLock { $0.onLoss } }
        set { state.withLock { $0.onLoss = newValue } }
    }

    /// True: the program continues even without a display of its own, if `onLoss` is nil. After a loss, GDK's default
    /// display is the lost one, and the program must not show anything on it. Set it before an engine starts.
    package static var outlivesDefault: Bool {
        get { state.withLock { $0.outlivesDefault } }
        set { state.withLock { $0.outlivesDefault = newValue } }
    }

    private struct State {
        var outlivesDefault = false
        var onLoss: (@Sendable (EngineUnavailable) -> Void)?
        var isEnding = false
    }

    private static let state = Mutex(State())

    /// Call this before the program ends its own child processes, so that their end does not count as a loss.
    static func expectEnd() { state.withLock { $0.isEnding = true } }

    /// Waits on a new thread for a server's end, reaps it, and removes its socket.
    static func watch(_ process: pid_t, _ socket: DisplaySocket) {
        DisplaySocket.add(socket, of: process)
        Thread.detachNewThread {
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR { continue }
            DisplaySocket.remove(of: process)
            let signal = status & 0x7F
            let how = signal == 0 ? "with code \(status >> 8 & 0xFF)" : "by signal \(signal)"
            let (tell, isEnding) = state.withLock { ($0.onLoss, $0.isEnding) }
            if isEnding { return }
            let loss = EngineUnavailable(
                problem: "the private display ended: Xvfb ended \(how)", remedy: "run the command again")
            if let tell { return tell(loss) }
            Task { @MainActor in VirtualDisplay.lose(process, loss) }
        }
    }

    /// Keeps GDK from ending the program before the thread acts. Call this once GDK has connected.
    static func holdBackGDK() {
        if onLoss == nil { return }
        XSetIOErrorHandler { _ in while true { pause() } }
    }
}
