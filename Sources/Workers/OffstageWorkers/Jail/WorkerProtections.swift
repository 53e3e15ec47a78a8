import COffstageWire

/// Protections that contain a worker.
public struct WorkerProtections: OptionSet, Sendable, Hashable {
    public let rawValue: UInt32

    /// Makes a set of protections.
    ///
    /// - Parameter rawValue: the bits of the protections.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// It cannot gain privileges by starting a program.
    public static let noNewPrivileges = Self(rawValue: OFFSTAGE_WIRE_NO_NEW_PRIVILEGES.rawValue)
    /// A list of allowed system calls. The kernel kills the worker at any other call.
    public static let systemCallFilter = Self(rawValue: OFFSTAGE_WIRE_SECCOMP.rawValue)
    /// Landlock: no access to files and ports.
    public static let landlock = Self(rawValue: OFFSTAGE_WIRE_LANDLOCK.rawValue)
    /// Limits on processor time, memory, files and descriptors; no core dumps.
    public static let resourceLimits = Self(rawValue: OFFSTAGE_WIRE_LIMITS.rawValue)
    /// No environment variables.
    public static let emptyEnvironment = Self(rawValue: OFFSTAGE_WIRE_EMPTY_ENVIRONMENT.rawValue)
    /// Bubblewrap: its own file system, network, processes and users. The worker cannot report this protection; only
    /// the host knows about it.
    public static let namespaces = Self(rawValue: 1 << 16)

    /// The protections that every worker needs in order to draw.
    static let required: Self = [.noNewPrivileges, .systemCallFilter, .resourceLimits, .emptyEnvironment]
    /// The protections that a worker itself can report.
    static let reported: Self = [required, .landlock]

    /// The names, for `doctor` and errors.
    public var names: [String] {
        let all: [(Self, String)] = [
            (.namespaces, "bubblewrap"), (.systemCallFilter, "seccomp"), (.landlock, "Landlock"),
            (.resourceLimits, "resource limits"), (.noNewPrivileges, "no new privileges"),
            (.emptyEnvironment, "empty environment"),
        ]
        return all.filter { contains($0.0) }.map(\.1)
    }
}

/// When workers use bubblewrap. The other protections are always on.
public enum WorkerJail: Sendable, Hashable {
    /// Bubblewrap is used if it works here. The default.
    case wherePossible
    /// Without bubblewrap, every drawing is an error.
    case always
    /// Bubblewrap is not used.
    case never
}
