/// The limits of a sound. A file can be an attack, so a caller raises them only for its own files.
public struct SoundLimits: Sendable, Hashable {
    /// Bytes of the file. Default 8 GiB: it is never in memory as a whole.
    public var inputBytes = 8 << 30
    /// Seconds of the sound. A longer one is an error. Default 86,400, a day.
    public var soundSeconds = 86_400.0
    /// Device px of the picture. Default 100 million.
    public var picturePixels = 100_000_000
    /// Seconds of a processor for decoding. Default 600.
    public var processorSeconds = 600
    /// Seconds until the sound is decoded. Default 900.
    public var seconds = 900.0
    /// Bytes of the worker's address space. Default 512 MiB.
    public var memory = 512 << 20

    /// The default limits.
    public init() {}
}
