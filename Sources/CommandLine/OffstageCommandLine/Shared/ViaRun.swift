import Foundation
import Offstage
import OffstageHTML
import OffstageRequests
import OffstageService
import OffstageShared

/// `render --via` and `pipe --via`: other machines draw, and this one finds their pictures and writes the files.
final class ViaRun: Sendable {
    let shelf: PostgresShelf
    let requests: ViaRequests
    /// The maximum number of simultaneous requests. More would only wait in the database.
    static let window = 400

    init(_ address: SharedAddress) {
        let identity = NodeIdentity(machineClass: "", parts: [], slots: 0, version: CommandLineTool.version)
        shelf = PostgresShelf(address, identity) { Console.error($0) }
        requests = ViaRequests(shelf)
    }

    /// Adopts the class of the machines that have this machine's engine and fonts.
    ///
    /// - Throws: `EngineUnavailable` if none is live; `SharedError`.
    func start() async throws {
        let nodes = try await SharedDatabase(shelf.address).nodes().filter { $0.isLive && $0.slots > 0 }
        guard let node = nodes.first(where: { $0.parts.contains(ClassProbe.engine) }) else {
            if nodes.isEmpty {
                throw EngineUnavailable(
                    problem: "no machine takes jobs from this database",
                    remedy: "start one with: offstage work --shared URL")
            }
            let names = Set(nodes.map(\.name)).sorted().prefix(5).joined(separator: ", ")
            throw EngineUnavailable(
                problem: "no machine draws with the engine and the fonts of this one (\(HTMLEngine.machineClass)): "
                    + "\(names) have others",
                remedy: "compare them with: offstage doctor --shared URL")
        }
        shelf.identify(machineClass: node.machineClass, parts: [])
        try await shelf.start()
    }

    func stop() async { await shelf.stop() }

    /// Lets the first ending signal, such as Ctrl-C, remove the jobs in the queue that only this program waits for, and
    /// then end the program.
    func withdrawAtEnd() {
        Signals.stopGracefully { [self] in
            Task {
                await stop()
                Signals.endNow()
            }
        }
    }
}
