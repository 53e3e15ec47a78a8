import Benchmarking

/// A benchmark.
@MainActor
protocol Workload {
    /// The name on the command line and in measures.
    static var name: String { get }
    /// A one-line description.
    static var summary: String { get }
    /// The numbers of repetitions in a full run and in a quick run.
    static var repetitions: (full: Int, quick: Int) { get }

    init()

    /// Prepares the repetitions.
    ///
    /// - Throws: `LeftOut` if it cannot be measured on this machine.
    mutating func prepare(_ bench: Bench) throws
    /// Performs one repetition.
    mutating func measure(_ bench: Bench) throws
    /// Adds the values that are measured once, after the last repetition.
    mutating func finish(_ bench: Bench) throws
}

extension Workload {
    mutating func prepare(_ bench: Bench) throws {}
    mutating func finish(_ bench: Bench) throws {}
}

/// Why a workload is not measured.
struct LeftOut: Error { var reason: String }

/// All workloads, in the order in which they are run and printed.
@MainActor let workloads: [any Workload.Type] = [
    RowsWorkload.self, FontsWorkload.self, PlainWorkload.self, EmailsWorkload.self, TallWorkload.self,
    ColdWorkload.self, StartWorkload.self, UnchangedWorkload.self, StallsWorkload.self, StoreWorkload.self,
    WorkersWorkload.self, PhotosWorkload.self, ImagesWorkload.self, PagesWorkload.self, InkWorkload.self,
    SoundsWorkload.self,
    ScalingWorkload.self, MemoryWorkload.self,
]
