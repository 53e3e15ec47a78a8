/// A renderer's cache: decoded pictures and files in memory, then the store. One lookup checks everything that makes a
/// cached picture valid: its fingerprint, the files that it was made from, and whether it is complete enough for the
/// request.
struct Shelf: Sendable {
    let memory: MemoryCache<CachedPictures>?
    let files: MemoryCache<CachedFile>?
    let thumbnails: MemoryCache<CachedThumbnails>?
    let store: PictureStore?
    /// The pictures of other machines, used after the store.
    let shared: (any SharedShelf)?
    let events: EventHub
    /// Pictures on their way to the disk.
    let errands = Errands()

    init(_ configuration: RendererConfiguration, _ events: EventHub) {
        (memory, files, store) = (configuration.memory, configuration.files, configuration.store)
        shared = configuration.shared
        let holdsPictures = memory != nil || store != nil
        thumbnails = holdsPictures ? CachedThumbnails.cache(bytes: configuration.thumbnailBytes) : nil
        self.events = events
    }

    /// True if pictures are cached at all.
    var holdsPictures: Bool { memory != nil || store != nil }

    /// A valid cached picture.
    struct Found<Value: Sendable>: Sendable {
        /// A failure if the request asks for a complete picture and this one lacks something.
        let outcome: Result<Value, DrawingError>
        /// The kind of hit, memory or disk.
        let event: RenderEvent.Kind

        init(_ value: Value, _ event: RenderEvent.Kind, _ warnings: [DrawingWarning], for request: any DrawingRequest) {
            outcome = request.refusal(of: warnings).map { .failure($0) } ?? .success(value)
            self.event = event
        }

        /// Nil if the request does not accept it.
        var usable: Value? { try? outcome.get() }
    }

    /// Reports a hit that answers a request.
    ///
    /// - Parameter number: the request's number; nil if the request never entered the queue.
    func report<Value>(_ found: Found<Value>, of identifier: String, request number: Int? = nil) {
        if found.usable != nil { events.emit(found.event, identifier, request: number) }
    }
}
