import COffstageSystem
import CWebKitGTK
import Foundation
import Offstage
import OffstageWebKit

/// Ctrl-C and its like: ends the program at once, and leaves no half file and no process behind.
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
        Thread.detachNewThread {
            var list = signals
            end(by: offstage_wait_for_signal(&list, Int32(list.count)))
        }
    }

    private static func end(by signal: Int32) -> Never {
        if Console.isTerminal { Console.status(Progress.erase) }
        // What the other threads make of their helpers' end is no news: neither an error nor an end of their own.
        Console.close()
        atexit { while true { pause() } }
        // GDK's would end the program with its own exit code when the X server is gone.
        if SharedLibrary.gdk.isLoaded { XSetIOErrorHandler { _ in while true { pause() } } }
        AtomicFile.removeUnfinished()
        PrivateFonts.discard()
        ChildProcesses.endAll()
        // The shell's way to say which signal it was.
        _exit(128 + signal)
    }
}
