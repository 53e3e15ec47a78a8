import COffstageWire
import Foundation
import Offstage

/// A worker program that is written in Swift, and the host's end of the channel to it. The process ends at the latest
/// with the last reference.
package final class ChannelProcess: Sendable {
    package let channel: WorkerChannel
    private let process: SpawnedProcess

    /// Starts a program. It inherits the variables that say where programs, libraries, fonts and temporary files are,
    /// and this program's standard error. Blocks the calling thread, which must not belong to Swift's thread pool.
    package init(_ program: WorkerProgram) throws(EngineUnavailable) {
        let path = try program.find()
        var (host, worker): (Int32, Int32) = (-1, -1)
        do throws(WorkerSystemError) {
            guard offstage_wire_pair(&host, &worker) == 0 else { throw WorkerSystemError("a socket") }
            channel = WorkerChannel(OwnedDescriptor(host))
            let theirs = OwnedDescriptor(worker)
            let (socket, arguments) = (theirs.number, [path] + program.files)
            let started = SpawnThread.shared.run {
                Result { () throws(WorkerSystemError) in
                    try SpawnedProcess(arguments, socket: socket, complaints: 2, inheritsPlaces: true)
                }
            }
            process = try started.get()
        } catch { throw error.unavailable }
    }

    package var number: pid_t { process.number }

    /// Ends it without waiting. The channel then ends, too.
    package func kill() { process.kill() }

    /// Waits for its end, and kills it if it takes too long. Blocks the thread.
    ///
    /// - Parameter milliseconds: the maximum time.
    package func end(within milliseconds: Int32) {
        if !process.ends(within: milliseconds) { process.kill() }
        process.reap()
    }
}
