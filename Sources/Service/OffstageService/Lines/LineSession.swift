import Foundation
import Offstage
import OffstageRequests

/// Requests and commands of one program, one JSON object per line, and a result line for each. It does not depend on a transport: one
/// function reads bytes, and another writes them.
///
/// The number of requests in progress is limited. The next request waits for a free slot, and nothing after it is read:
/// a program that writes faster than Offstage draws has to wait. Commands do not need a slot and are executed when they
/// are read. If the program itself has suspended drawing, its command to resume is in a later line. So its requests do
/// not wait: they fail with `queue-full`.
///
/// Memory is reserved for a line from its first byte until its result is written, and for a result until it is written.
/// If no memory is available for a line, it waits for memory from the session's earlier lines; if there are none, it
/// fails with `memory-full`. A result without a reservation is still written, but nothing is read meanwhile.
package struct LineSession: Sendable {
    package struct Configuration: Sendable {
        /// True for answers in the order of the lines; false for answers as soon as they are ready.
        package var isOrdered = false
        /// The maximum number of requests in progress; at least 1.
        package var limit: Int
        /// The maximum number of bytes of a line.
        package var lineLimit: Int
        /// The client; nil for a program that has the service to itself.
        package var client: ServiceClient?
        /// The folder for files; nil if requests cannot write files.
        package var output: OutputFiles?
        /// True: without the key "output", a request's identifier is its path below the folder, as in a manifest.
        package var namesByIdentifier = true
        /// Counts the unanswered lines, for the transport.
        var progress = LineProgress()
        /// The memory for lines, and for results until they are written.
        package var memory: any LineMemory = UnlimitedLineMemory()
        /// Folders that messages must not show; nil for a program of this machine.
        var hides: MachinePaths?

        package init(limit: Int, lineLimit: Int) {
            precondition(limit > 0, "a session needs room for at least one request")
            self.limit = limit
            self.lineLimit = lineLimit
        }
    }

    /// The summary of a session.
    package struct Outcome: Sendable {
        /// The number of lines that failed, not counting those that a command cancelled.
        package var failed = 0
        /// The number of answered lines, including answers that could not be written.
        package var lines = 0
        /// The reason why the last drawing had no engine; nil if it had one.
        package var unavailable: EngineUnavailable?
        /// A line about each option of the session that had no effect on any of its documents.
        package var withoutEffect: [String] = []
        /// True if the transport ended before everything was answered.
        package var isCutShort = false
    }

    private let service: PictureService
    private let reader: ServiceRequestReader
    private let configuration: Configuration

    package init(service: PictureService, reader: ServiceRequestReader, _ configuration: Configuration) {
        (self.service, self.reader, self.configuration) = (service, reader, configuration)
    }

    /// Serves until the input ends and everything is answered. If the calling task is cancelled or a write fails, cancels everything,
    /// and waits until `read` and `write` have returned.
    ///
    /// - Parameters:
    ///   - read: returns the available bytes, at least one; nil at the end, and soon after its task is cancelled.
    ///   - write: writes whole lines, and returns when it has room for more; false if the program no longer reads.
    package func run(
        read: @escaping @Sendable () async -> Data?, write: @escaping @Sendable (Data) async -> Bool
    ) async -> Outcome {
        let ledger = LineLedger(
            isOrdered: configuration.isOrdered, limit: configuration.limit, memory: configuration.memory,
            hides: configuration.hides, progress: configuration.progress, write: write)
        let desk = LineDesk(service, reader, configuration, ledger)
        let reading = Task {
            var splitter = LineSplitter(limit: configuration.lineLimit, memory: configuration.memory)
            while !Task.isCancelled, let bytes = await read() {
                splitter.add(bytes)
                while let line = await Self.next(&splitter, desk) { await desk.take(line) }
            }
            if let line = splitter.finish() { await desk.take(line) }
            // No command can end these suspensions any more.
            await desk.endLeases()
            await ledger.settle()
        }
        await ledger.onLeave { reading.cancel() }
        await withTaskCancellationHandler {
            await reading.value
        } onCancel: {
            Task { await ledger.leave() }
        }
        await ledger.stop()
        await desk.endLeases()
        var outcome = await ledger.outcome
        outcome.withoutEffect = await desk.reader.rows.withoutEffect
        return outcome
    }

    /// The next line of the bytes so far. If there is no memory for it, waits until the session's own lines are
    /// answered; if there are none, skips the line.
    private static func next(_ splitter: inout LineSplitter, _ desk: LineDesk) async -> LineSplitter.Line? {
        var mayFree = true
        while true {
            switch splitter.next() {
            case .line(let line): return line
            case .needsBytes: return nil
            case .needsMemory:
                if !mayFree { return splitter.skipLine() }
                // The last line may have been answered since the attempt, so try once more.
                mayFree = await desk.mayFreeMemory()
            }
        }
    }
}
