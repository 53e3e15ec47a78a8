import OffstageWorkers

/// The limits of a sound. A file can be an attack, so a caller raises them only for its own files.
public struct SoundLimits: Sendable, Hashable {
    /// Seconds of the sound. A longer one is an error. Default 86,400, a day.
    public var soundSeconds = 86_400.0
    /// Those of the worker, which decodes the sound, and the pixels of the picture. Default `WorkerBudget()` with 600 s of a processor, 900 s
    /// in all, 512 MiB of memory, and files of 8 GiB, which are never in memory as a whole.
    public var budget = WorkerBudget(
        processorSeconds: 600, seconds: 900, memory: 512 << 20, documentBytes: 8 << 30, partBytes: 2 << 30)

    /// The default limits.
    public init() {}
}
