/// Something that happened to a request or a picture.
///
/// A request begins with `submitted`. It has its picture with `hitInMemory` or `hitOnDisk`, or when the drawing that it
/// started or joined is `drawn`; or it ends with `cancelled` or `failed`. `started`, `drawn`, `encoded` and `stored` come once
/// for a drawing, under the request that asked first. Where somebody else has drawn it since it was looked for, `hitOnDisk` or
/// `hitInMemory` follows `started`.
public struct RenderEvent: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// A request was taken in.
        case submitted
        /// The same is being drawn, or waits for it: the request gets that picture.
        case joined
        /// A drawing has begun, or what others have drawn meanwhile is looked for.
        case started
        /// The engine has painted the picture.
        case drawn
        /// The picture has been made into a file's bytes.
        case encoded
        /// The picture is in the store on disk.
        case stored
        /// The request was answered from memory.
        case hitInMemory
        /// The request was answered from disk.
        case hitOnDisk
        /// The request was withdrawn.
        case cancelled
        /// The request got no picture.
        case failed(DrawingError)
        /// A picture or a thumbnail left the memory or the disk to make room: for the limits, or because memory is short.
        /// Renderers that share a cache or a store are all told, in a store of what this process removed.
        case evicted
    }

    public var kind: Kind
    /// The request's or the picture's.
    public var identifier: String
    /// Counts a renderer's requests from 1. Nil where no request is behind it.
    public var request: Int?
    public var time: ContinuousClock.Instant
}
