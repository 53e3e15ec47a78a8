import Foundation
import Offstage
import OffstageRequests

/// Requests and commands of one program, a JSON object a line, and a line of result for each. It knows no transport: bytes
/// come by one function and go by another.
///
/// No more is read than may be under way, but for the next request, which waits for room: a program that writes faster than is
/// drawn has to wait. Commands need no room, and are obeyed as soon as they are read. A program that has suspended drawing itself is
/// not made to wait, for its word to go on comes in a line behind: what is too much is refused until then (`queue-full`).
package struct LineSession: Sendable {
    package struct Configuration: Sendable {
        /// Answers come in the order of the lines; else as they are ready.
        package var isOrdered = false
        /// Requests under way at most; at least 1.
        package var limit: Int
        /// Bytes of a line.
        package var lineLimit: Int
        /// Whose requests these are; nil for a program that has the service to itself.
        package var client: ServiceClient?
        /// Where requests may put files; nil for nowhere.
        package var output: OutputFiles?
        /// Where `output` is not said: true for the identifier's place below the output folder, as a manifest's rows have it.
        package var namesByIdentifier = true
        /// What messages are not to tell; nil for a program of this machine.
        var hides: MachinePaths?

        package init(limit: Int, lineLimit: Int) {
            precondition(limit > 0, "a session has room for at least one request")
            self.limit = limit
            self.lineLimit = lineLimit
        }
    }

    /// What became of it all.
    package struct Outcome: Sendable {
        /// Lines that were answered with a failure; what was cancelled by a command is none.
        package var failed = 0
        /// Lines that were answered, or would have been.
        package var lines = 0
        /// What the machine was found to lack when something was last to be drawn; nil where it was drawn.
        package var unavailable: EngineUnavailable?
        /// The transport went away before everything was answered.
        package var isCutShort = false
    }

    private let service: PictureService
    private let reader: ServiceRequestReader
    private let configuration: Configuration

    package init(service: PictureService, reader: ServiceRequestReader, _ configuration: Configuration) {
        self.service = service
        self.reader = reader
        self.configuration = configuration
    }

    /// Serves until the end of what comes, and until all of it is answered. When the calling task is cancelled, or a write
    /// fails, everything of the session is withdrawn at once, the end of `read` and `write` is waited for.
    ///
    /// - Parameters:
    ///   - read: the next bytes, as many as are there; nil at the end. It returns soon when its task is cancelled.
    ///   - write: takes whole lines, and returns when it has room for more; false: nobody is there any more.
    package func run(
        read: @escaping @Sendable () async -> Data?, write: @escaping @Sendable (Data) async -> Bool
    ) async -> Outcome {
        let ledger = LineLedger(
            isOrdered: configuration.isOrdered, limit: configuration.limit, hides: configuration.hides, write: write)
        let desk = LineDesk(service, reader, configuration, ledger)
        let reading = Task {
            var splitter = LineSplitter(limit: configuration.lineLimit)
            while !Task.isCancelled, let bytes = await read() {
                for line in splitter.split(bytes) { await desk.take(line) }
            }
            for line in splitter.finish() { await desk.take(line) }
            // Nobody is left to resume.
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
        return await ledger.outcome
    }
}
