import Foundation
import Offstage

/// The state of the shared database.
public struct SharedStatistics: Sendable, Hashable, Codable {
    /// The jobs of one class in one state.
    public struct Jobs: Sendable, Hashable, Codable {
        public var machineClass: String
        /// `waiting`, `taken`, `failed` or `dead`.
        public var state: String
        public var count: Int
        /// Seconds since the oldest of them was submitted.
        public var oldest: Double
    }

    /// Files of pictures.
    public var pictures = 0
    /// The bytes of all of them; equal ones are stored once.
    public var pictureBytes = 0
    /// Pictures that clients have PUT.
    public var names = 0
    public var jobs: [Jobs] = []
    public var liveNodes = 0
    /// The drawings at once of all live nodes.
    public var slots = 0
    /// `mismatch`: drawings that differed from an earlier one with the same key, which never happens on machines of one class.
    /// `drawn-again`: drawings that another machine had made before, because PostgreSQL or a node was away.
    public var counters: [String: Int] = [:]
    /// The bytes of the whole database on PostgreSQL's disk.
    public var diskBytes = 0

    public init() {}
}

/// A node, or a client that waits for pictures.
public struct SharedNode: Sendable, Hashable {
    public var id: String
    /// The host's name and the process.
    public var name: String
    public var machineClass: String
    /// The drawings at once; 0 for a client.
    public var slots: Int
    /// Of Offstage.
    public var version: String
    /// The parts of the class: names and digests.
    public var parts: [ClassPart]
    /// The sources that it draws; nil for all.
    public var sources: [String]?
    /// Seconds since it was last seen.
    public var silence: Double
    /// The number of jobs that it draws.
    public var taken: Int

    /// False for one that has ended without a word, or is cut off.
    public var isLive: Bool { silence < SharedTimes.lease }

    static func parts(_ json: String) -> [ClassPart] {
        (try? JSONDecoder().decode([ClassPart].self, from: Data(json.utf8))) ?? []
    }
}

/// One of the things that decide about a machine's pixels.
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
    /// Seconds since it was given up.
    public var age: Double
    /// False for a request of a node's own client, which has to ask again.
    public var canRetry: Bool
}

/// Times that all nodes agree about, seconds.
enum SharedTimes {
    /// Between two signs of life.
    static let beat = 2.0
    /// A node that has been silent for longer loses its jobs.
    static let lease = 10.0
    /// After it a job that failed or is dead counts no more. It is part of the schema's third version.
    static let deadAge = "interval '1 hour'"
}
