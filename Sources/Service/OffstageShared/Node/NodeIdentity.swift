import Foundation
import Synchronization

/// The facts that a node publishes about itself.
public struct NodeIdentity: Sendable {
    /// Identifies this run of the program.
    public let id = UUID().uuidString.lowercased()
    /// The host name and the process number.
    public let name: String
    /// The machine class. Machines of a class draw the same bytes.
    public internal(set) var machineClass: String
    /// The parts of the class.
    public internal(set) var parts: [ClassPart]
    /// The maximum number of concurrent drawings; 0 for a client that draws nothing.
    public let slots: Int
    /// Offstage's version.
    public let version: String
    /// The names of the sources that it can draw; nil for all.
    public let sources: [String]?

    public init(machineClass: String, parts: [ClassPart], slots: Int, version: String, sources: [String]? = nil) {
        self.sources = sources
        name = "\(ProcessInfo.processInfo.hostName):\(getpid())"
        (self.machineClass, self.parts, self.slots, self.version) = (machineClass, parts, slots, version)
    }

    var sourcesValue: SQLValue { sources.map { .texts($0) } ?? .null }

    var partsJSON: String { String(decoding: (try? JSONEncoder().encode(parts)) ?? Data("[]".utf8), as: UTF8.self) }
}

/// A node's identity. Its class is known only after the first drawings.
final class SharedIdentity: Sendable {
    private let state: Mutex<NodeIdentity>

    init(_ identity: NodeIdentity) { state = Mutex(identity) }

    var now: NodeIdentity { state.withLock { $0 } }

    func set(machineClass: String, parts: [ClassPart]) {
        state.withLock { ($0.machineClass, $0.parts) = (machineClass, parts) }
    }
}
