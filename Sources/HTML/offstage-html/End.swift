import COffstageSystem
import Foundation
import OffstageWebKit

/// The worker's end: together with its host, or when the host asks for it.
enum End {
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// Waits for signals on a thread of its own, so that they work even if the main thread is busy, and closes the
    /// connection to the host. Call it before any thread starts: they are blocked in all other threads.
    static func catchSignals(of channel: WorkerChannel) {
        var list = signals
        offstage_block_signals(&list, Int32(list.count))
        Thread.detachNewThread {
            var list = signals
            // A terminal sends SIGINT to the host, too, which then ends this worker, or first finishes its work.
            while offstage_wait_for_signal(&list, Int32(list.count)) == SIGINT { continue }
            // The main loop then ends the worker: until it does, it may start processes.
            channel.close()
            sleep(1)
            now()
        }
    }

    /// Ends the worker's own processes and the worker. Any thread may call it.
    static func now() -> Never {
        // Other threads may notice that their child processes have ended.
        atexit { while true { pause() } }
        ChildProcesses.endAllWithDisplays()
        _exit(0)
    }
}
