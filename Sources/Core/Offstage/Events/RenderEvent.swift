/// An event of a request or a picture.
///
/// A request begins with `submitted`. It gets its picture with `hitInMemory` or `hitOnDisk`, or when the drawing that
/// it started or joined is `drawn`; or it ends with `cancelled` or `failed`. `started`, `drawn`, `encoded` and `stored`
/// occur once per drawing, for its first request. If another process has drawn the picture since the lookup,
/// `hitOnDisk` or `hitInMemory` follows `started`.
public struct RenderEvent: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// The renderer accepted a request.
        case submitted
        /// The same picture is already waiting or being drawn; the request will get it.
        case joined
        /// A drawing has begun, or the second lookup of a picture that another process may have drawn in the meantime.
        case started
        /// The engine has painted the picture.
        case drawn
        /// The picture has been encoded.
        case encoded
        /// The picture has been stored on disk.
        case stored
        /// The request was answered from memory.
        case hitInMemory
        /// The request was answered from disk.
        case hitOnDisk
        /// The request was cancelled.
        case cancelled
        /// The request failed.
        case failed(DrawingError)
        /// A picture or a thumbnail was evicted from memory or disk because of a limit, or of memory pressure. All
        /// renderers that share a cache or a store get the event; for a store, only for evictions by this process.
        case evicted
        /// A picture was removed from memory and disk because it can no longer be trusted: the process that drew it did
        /// something that no drawing needs, so another document's code may have painted it. Request it again.
        case withdrawn
    }

    public var kind: Kind
    /// The identifier of the request or the picture.
    public var identifier: String
    /// The number of the request, from 1 for the renderer's first. Nil if no request caused the event.
    public var request: Int?
    public var time: ContinuousClock.Instant
}
