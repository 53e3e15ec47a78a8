import COffstageSystem
import CWebKitGTK
import Foundation
import Offstage
import Synchronization

/// What happens when the private display is lost: Xvfb was killed, or ended by itself.
///
/// GDK ends a program that loses a display, without a word and with exit code 1, as soon as it next reads from it. A thread
/// of its own learns it at once, and a handler of ours keeps GDK's waiting for what that does.
///
/// A program with a display of its own goes on: what is being drawn fails as `EngineUnavailable`, and the next drawing starts
/// another private display.
public enum DisplayWatch {
    /// Called once, on a thread of its own, with the main thread in any state; it is to end the program. Set it before an
    /// engine starts. Without one, and without a display of the program's own, GDK's way holds.
    public static var onLoss: (@Sendable (EngineUnavailable) -> Void)? {
        get { state.withLock { $0.onLoss } }
        set { state.withLock { $0.onLoss = newValue } }
    }

    /// True: the program goes on without a display of its own, too, where `onLoss` is nil. Its GDK then has a default display that
    /// is gone: it must not show anything on that. Set it before an engine starts.
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

    /// The program ends its processes itself: no loss any more.
    static func expectEnd() { state.withLock { $0.isEnding = true } }

    /// Waits for a server's end, reaps it, and takes away what it left.
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
                problem: "the private display ended: Xvfb went away \(how)", remedy: "run it again")
            if let tell { return tell(loss) }
            Task { @MainActor in VirtualDisplay.lose(process, loss) }
        }
    }

    /// Keeps GDK from ending the program before the thread does. Call it once GDK has connected.
    static func holdBackGDK() {
        if onLoss == nil { return }
        XSetIOErrorHandler { _ in while true { pause() } }
    }
}
