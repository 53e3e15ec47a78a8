/// What a renderer is asked for: some source (HTML, later a PDF page, ink, a waveform) under the host's own identifier.
///
/// The core reads no more of it than this; the rest is between the request and the engine that draws its kind.
public protocol DrawingRequest: Sendable {
    /// The host's name for the picture: a row's id, a file's path. Errors and results carry it.
    var identifier: String { get }

    /// The device scale factor that it is drawn at: device px to a CSS px. Default 1. Pictures of one identifier at several
    /// scales are kept beside each other.
    var scale: Double { get }

    /// The same at another device scale factor. By default itself, for a source that has no scale.
    func scaled(to scale: Double) -> Self

    /// What it is drawn into. Default pixels.
    var medium: Medium { get }

    /// The same in another medium. By default itself, for a source that can be drawn into pixels alone.
    func drawn(into medium: Medium) -> Self

    /// What is done to the edges of what the engine drew; default nothing.
    var margins: Margins { get }

    /// True: a picture that lacks something is an error, `DrawingError.incomplete`, a kept one too. Default false.
    var requiresComplete: Bool { get }

    /// What the host wants to know of the picture later: it is kept beside the files of `files(for:as:)`, as
    /// `PictureInfo.extra`, and decides nothing. A JSON text; default nil, nothing.
    var extra: String? { get }

    /// Of what kind the keys are by which the same work is recognized.
    associatedtype CoalescingKey: Hashable & Sendable = Never

    /// Equal keys promise equal pictures, whatever the identifiers: such requests share one drawing while it waits or runs.
    /// Nil, the default, for a request that is drawn for itself.
    var coalescingKey: CoalescingKey? { get }
}

extension DrawingRequest {
    public var scale: Double { 1 }
    public func scaled(to scale: Double) -> Self { self }
    public var medium: Medium { .pixels }
    public func drawn(into medium: Medium) -> Self { self }
    public var margins: Margins { Margins() }
    public var requiresComplete: Bool { false }
    public var extra: String? { nil }
    public var coalescingKey: CoalescingKey? { nil }

    var sharedKey: SharedKey? { coalescingKey.map { SharedKey($0, of: Self.self) } }

    /// Why a picture with these warnings is no answer; nil where it is one.
    func refusal(of warnings: [DrawingWarning]) -> DrawingError? {
        requiresComplete && warnings.contains(where: \.code.isDefect) ? .incomplete(warnings) : nil
    }
}

/// A request's coalescing key, of whatever type.
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
