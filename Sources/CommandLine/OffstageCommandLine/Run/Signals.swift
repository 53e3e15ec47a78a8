import COffstageSystem
import Foundation
import Offstage
import OffstageHTML
import Synchronization

/// Handles Ctrl-C and other ending signals: ends the program at once, without partial files or remaining processes.
/// With `--suspend-signal`, two more signals suspend and resume a run.
enum Signals {
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// Receives the signals on a separate thread, so that they work even if the main thread is busy. They are blocked
    /// in all other threads, and also in WebKit's processes, so that a terminal's Ctrl-C does not reach those before
    /// this process. Call it before any thread starts.
    static func catchEndings() {
        // If a reader disappears, the write fails instead.
        signal(SIGPIPE, SIG_IGN)
        // If a file exceeds the limit of `ulimit -f`, the write fails instead.
        signal(SIGXFSZ, SIG_IGN)
        var list = signals
        offstage_block_signals(&list, Int32(list.count))
        let hadTerminal = hasTerminal
        Thread.detachNewThread {
            var list = signals
            while true {
                let signal = offstage_wait_for_signal(&list, Int32(list.count))
                // SIGHUP also reports the end of the terminal, which ends the program.
                if signal == SIGHUP, !hadTerminal || hasTerminal, let reload = reload.withLock({ $0 }) {
                    reload()
                    continue
                }
                // A second signal ends the program at once.
                guard let stop = gracefulStop.withLock({ $0.take() }) else { end(by: signal) }
                received.withLock { $0 = signal }
                stop()
            }
        }
    }

    /// Sets an action for the first of these signals, instead of ending the program: a service completes its requests.
    /// The action runs on a separate thread and returns at once.
    static func stopGracefully(_ stop: (@Sendable () -> Void)?) { gracefulStop.withLock { $0 = stop } }

    /// Sets an action for SIGHUP, instead of ending the program. It runs on a separate thread and returns at once.
    static func reload(_ action: @escaping @Sendable () -> Void) { reload.withLock { $0 = action } }

    private static let reload = Mutex<(@Sendable () -> Void)?>(nil)

    private static var hasTerminal: Bool {
        let file = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
        if file >= 0 { close(file) }
        return file >= 0
    }

    private static let gracefulStop = Mutex<(@Sendable () -> Void)?>(nil)

    /// Makes SIGUSR1 suspend and SIGUSR2 resume, for this process and all its children. Call it on the main thread,
    /// before WebKit starts.
    static func catchPauses() -> Pause {
        let pause = Pause()
        var list = [SIGUSR1, SIGUSR2]
        for one in list { signal(one, SIG_DFL) }
        offstage_block_signals(&list, Int32(list.count))
        // JavaScriptCore stops its threads with SIGUSR1, and unblocks it in all of them, so a SIGUSR1 from outside
        // would end WebKit's processes. This makes it use the first free signal.
        setenv("JSC_SIGNAL_FOR_GC", "34", 1)
        HelperMessages.leaveOut(["ERROR: invalid option: ", "JSC_SIGNAL_FOR_GC=34"])
        Thread.detachNewThread {
            var list = [SIGUSR1, SIGUSR2]
            while true { pause.isOn = offstage_wait_for_signal(&list, Int32(list.count)) == SIGUSR1 }
        }
        return pause
    }

    /// Ends the program in the way that the signal handled by `stopGracefully` would have done.
    static func endNow() -> Never { end(by: received.withLock { $0 }) }

    private static let received = Mutex(SIGINT)

    private static func end(by signal: Int32) -> Never {
        if Console.isTerminal { Console.status(Progress.erase) }
        // The exit code with which shells report a signal.
        end(code: 128 + signal)
    }

    private static func end(code: Int32) -> Never {
        // Other threads may notice that their child processes have ended. They must not report an error or end the
        // program themselves.
        Console.close()
        atexit { while true { pause() } }
        AtomicFile.removeUnfinished()
        ChildProcesses.endAll()
        PrivateFonts.discard()
        _exit(code)
    }
}
