import OffstageWorkers

/// The limits for a sound. A file can be an attack, so raise them only for your own files.
public struct SoundLimits: Sendable, Hashable {
    /// The maximum length in seconds. A longer sound is an error. Default 86,400, a day.
    public var soundSeconds = 86_400.0
    /// The limits of the worker that decodes the sound, and the picture's maximum number of pixels. Default
    /// `WorkerBudget()` with 600 s of a processor, 900 s in all, 512 MiB of memory, and files of 8 GiB, which are never
    /// in memory as a whole.
    public var budget = WorkerBudget(
        processorSeconds: 600, seconds: 900, memory: 512 << 20, documentBytes: 8 << 30, partBytes: 2 << 30)

    /// The default limits.
    public init() {}
}
