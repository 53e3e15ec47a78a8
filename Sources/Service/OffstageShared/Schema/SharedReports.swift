import Foundation
import Offstage

/// The state of the shared database.
public struct SharedStatistics: Sendable, Hashable, Codable {
    /// The jobs of a class in one state.
    public struct Jobs: Sendable, Hashable, Codable {
        public var machineClass: String
        /// `waiting`, `taken`, `failed` or `dead`.
        public var state: String
        public var count: Int
        /// The seconds since the oldest job was submitted.
        public var oldest: Double
    }

    /// Picture files.
    public var pictures = 0
    /// Their total size in bytes. Equal files are stored once.
    public var pictureBytes = 0
    /// Pictures that clients stored with PUT.
    public var names = 0
    public var jobs: [Jobs] = []
    public var liveNodes = 0
    /// The slots of all live nodes.
    public var slots = 0
    /// `mismatch`: drawings that differed from an earlier one with the same key, which should never happen within a
    /// class. `drawn-again`: drawings that another machine had already made, because PostgreSQL or a node was
    /// unavailable.
    public var counters: [String: Int] = [:]
    /// The size of the whole database on PostgreSQL's disk, in bytes.
    public var diskBytes = 0

    public init() {}
}

/// A node, or a client that waits for pictures.
public struct SharedNode: Sendable, Hashable {
    public var id: String
    /// The host name and the process number.
    public var name: String
    public var machineClass: String
    /// The maximum number of concurrent drawings; 0 for a client.
    public var slots: Int
    /// Offstage's version.
    public var version: String
    /// The parts of the class: names and digests.
    public var parts: [ClassPart]
    /// The sources that it can draw; nil for all.
    public var sources: [String]?
    /// The seconds since its last heartbeat.
    public var silence: Double
    /// The number of jobs that it is drawing.
    public var taken: Int

    /// False if the node ended without signing off, or is cut off.
    public var isLive: Bool { silence < SharedTimes.lease }

    static func parts(_ json: String) -> [ClassPart] {
        (try? JSONDecoder().decode([ClassPart].self, from: Data(json.utf8))) ?? []
    }
}

/// One of the facts that determine a machine's pixels.
public struct ClassPart: Sendable, Hashable, Codable {
    public var name: String
    public var digest: String

    public init(name: String, digest: String) { (self.name, self.digest) = (name, digest) }
}

/// A job that was given up.
public struct DeadJob: Sendable, Hashable {
    public var key: Digest
    public var client: String
    public var crashes: Int
    /// The seconds since it was given up.
    public var age: Double
    /// False for a request of a node's own client, which has to submit it again.
    public var canRetry: Bool
}

/// Times that all nodes must agree on, in seconds.
enum SharedTimes {
    /// The interval between heartbeats.
    static let beat = 2.0
    /// A node that is silent for longer loses its jobs.
    static let lease = 10.0
    /// A failed or dead job expires after this time. Part of the schema's third version.
    static let deadAge = "interval '1 hour'"
}
