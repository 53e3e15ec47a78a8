import COffstageSystem
import CWebKitGTK
import Foundation
import Offstage
import OffstageWebKit
import Synchronization

/// Ctrl-C and its like: ends the program at once, and leaves no half file and no process behind. With `--suspend-signal`,
/// two more that pause a run and let it go on.
enum Signals {
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// Takes the signals in on a thread of their own, so that they work however busy the main thread is. They are blocked
    /// in all other threads and, so that a terminal's Ctrl-C does not reach them before us, in WebKit's processes. Call it
    /// before any thread is started.
    static func catchEndings() {
        // A reader that goes away shows as a failed write.
        signal(SIGPIPE, SIG_IGN)
        // So does a file over the limit that `ulimit -f` sets.
        signal(SIGXFSZ, SIG_IGN)
        var list = signals
        offstage_block_signals(&list, Int32(list.count))
        let hadTerminal = hasTerminal
        Thread.detachNewThread {
            var list = signals
            while true {
                let signal = offstage_wait_for_signal(&list, Int32(list.count))
                // The end of the terminal says the same, and means the end.
                if signal == SIGHUP, !hadTerminal || hasTerminal, let reload = reload.withLock({ $0 }) {
                    reload()
                    continue
                }
                // The second one is meant.
                guard let stop = gracefulStop.withLock({ $0.take() }) else { end(by: signal) }
                stop()
            }
        }
    }

    /// What the first of these signals does instead of ending the program: a service answers what it was asked. Called on a
    /// thread of its own; it returns at once.
    static func stopGracefully(_ stop: (@Sendable () -> Void)?) { gracefulStop.withLock { $0 = stop } }

    /// Has SIGHUP read something again instead of ending the program. Called on a thread of its own; it returns at once.
    static func reload(_ action: @escaping @Sendable () -> Void) { reload.withLock { $0 = action } }

    private static let reload = Mutex<(@Sendable () -> Void)?>(nil)

    private static var hasTerminal: Bool {
        let file = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
        if file >= 0 { close(file) }
        return file >= 0
    }

    private static let gracefulStop = Mutex<(@Sendable () -> Void)?>(nil)

    /// Has SIGUSR1 pause and SIGUSR2 go on, for this process and all that it starts. Call it on the main thread, before
    /// WebKit starts.
    static func catchPauses() -> Pause {
        let pause = Pause()
        var list = [SIGUSR1, SIGUSR2]
        for one in list { signal(one, SIG_DFL) }
        offstage_block_signals(&list, Int32(list.count))
        // JavaScriptCore stops its threads by SIGUSR1, and unblocks it in all of them: one from outside would end WebKit's
        // processes. With this it takes the first signal that is free.
        setenv("JSC_SIGNAL_FOR_GC", "34", 1)
        HelperMessages.leaveOut(["ERROR: invalid option: ", "JSC_SIGNAL_FOR_GC=34"])
        Thread.detachNewThread {
            var list = [SIGUSR1, SIGUSR2]
            while true { pause.isOn = offstage_wait_for_signal(&list, Int32(list.count)) == SIGUSR1 }
        }
        return pause
    }

    /// Ends the program when the private display is gone, which GDK would do without a word.
    ///
    /// - Parameter last: what is done before, off the main thread, which may stand still by then; ten seconds at most.
    static func catchLossOfDisplay(_ last: (@Sendable (EngineUnavailable) async -> Void)? = nil) {
        DisplayWatch.onLoss = { reason in
            @Sendable func end() -> Never {
                if Console.isTerminal { Console.status(Progress.erase) }
                Console.error("\(reason)")
                self.end(code: ExitCode.machineLacks.rawValue)
            }
            guard let last else { end() }
            Task {
                await last(reason)
                end()
            }
            sleep(10)
            end()
        }
    }

    private static func end(by signal: Int32) -> Never {
        if Console.isTerminal { Console.status(Progress.erase) }
        // The shell's way to say which signal it was.
        end(code: 128 + signal)
    }

    private static func end(code: Int32) -> Never {
        // What the other threads make of their helpers' end is no news: neither an error nor an end of their own.
        Console.close()
        atexit { while true { pause() } }
        // GDK's would end the program with its own exit code when the X server is gone.
        if SharedLibrary.gdk.isLoaded { XSetIOErrorHandler { _ in while true { pause() } } }
        AtomicFile.removeUnfinished()
        PrivateFonts.discard()
        ChildProcesses.endAll()
        _exit(code)
    }
}
