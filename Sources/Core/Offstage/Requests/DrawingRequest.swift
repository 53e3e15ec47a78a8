/// A request for a picture: a source, such as HTML, with the host's identifier and the properties that all sources share.
///
/// The renderer reads only these properties. The engine for the request's type reads the rest.
public protocol DrawingRequest: Sendable {
    /// The host's name for the picture, such as a row's id or a file's path. Errors and results contain it, and the cache stores
    /// the picture under it.
    var identifier: String { get set }

    /// The device scale factor: device px per CSS px. The cache can store an identifier's pictures at several scales.
    var scale: Double { get set }

    /// The medium of the drawing. Default pixels.
    var medium: Medium { get }

    /// The request for another medium. The default implementation returns the same request, for a source that can only be drawn
    /// into pixels.
    func drawn(into medium: Medium) -> Self

    /// The changes to the picture's edges after the drawing. Default none.
    var margins: Margins { get }

    /// True: an incomplete picture, cached or new, is an error, `DrawingError.incomplete`. Default false.
    var requiresComplete: Bool { get }

    /// True if the drawing finds areas, such as links and text that a screen reader can read. Default true: a source that has
    /// areas always returns them.
    var keepsAreas: Bool { get }

    /// Additional data from the host, stored with the files of `files(for:as:)`, as `PictureInfo.extra`. It does not
    /// influence the picture. A JSON text; default nil.
    var extra: String? { get set }

    /// The type of the key that identifies equal work.
    associatedtype CoalescingKey: Hashable & Sendable = Never

    /// Requests with equal keys have equal pictures, whatever their identifiers, so they share one drawing while it waits or runs.
    /// Nil, the default, for a request that is drawn separately.
    var coalescingKey: CoalescingKey? { get }
}

extension DrawingRequest {
    /// The request at another device scale factor.
    public func scaled(to scale: Double) -> Self {
        var request = self
        request.scale = scale
        return request
    }

    public var medium: Medium { .pixels }
    public func drawn(into medium: Medium) -> Self { self }
    public var margins: Margins { Margins() }
    public var requiresComplete: Bool { false }
    public var keepsAreas: Bool { true }
    public var extra: String? {
        get { nil }
        set {}
    }
    public var coalescingKey: CoalescingKey? { nil }

    var sharedKey: SharedKey? { coalescingKey.map { SharedKey($0, of: Self.self) } }

    /// The error for a picture with these warnings; nil if the picture is acceptable.
    func refusal(of warnings: [DrawingWarning]) -> DrawingError? {
        requiresComplete && warnings.contains(where: \.code.isDefect) ? .incomplete(warnings) : nil
    }
}

/// A type-erased coalescing key.
///
/// `@unchecked Sendable`, because `AnyHashable` is not: the initializer takes only keys that are.
struct SharedKey: Hashable, @unchecked Sendable {
    private let key: AnyHashable
    private let requestType: ObjectIdentifier

    init(_ key: some Hashable & Sendable, of type: Any.Type) {
        self.key = AnyHashable(key)
        requestType = ObjectIdentifier(type)
    }
}
