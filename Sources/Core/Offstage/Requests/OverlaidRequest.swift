/// A request with another request drawn over it, such as a page with ink.
///
/// The renderer draws `below` with its engine, and then `above` over it, in the same turn of the queue. Both determine
/// the cached picture. Everything else, such as the identifier, the scale and the margins, is taken from `below`.
public struct OverlaidRequest: DrawingRequest {
    public var below: any DrawingRequest
    /// The request to draw on top. Its engine is an `OverlayEngine`. Its own identifier, scale and margins have no
    /// effect.
    public var above: any DrawingRequest

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - below: the request that decides the picture's size, scale and margins.
    ///   - above: a request of an `OverlayEngine`.
    public init(_ below: any DrawingRequest, above: any DrawingRequest) { (self.below, self.above) = (below, above) }

    public var identifier: String {
        get { below.identifier }
        set { below.identifier = newValue }
    }

    public var extra: String? {
        get { below.extra }
        set { below.extra = newValue }
    }

    public var scale: Double {
        get { below.scale }
        set { below.scale = newValue }
    }

    public var medium: Medium { below.medium }
    public var margins: Margins { below.margins }
    public var requiresComplete: Bool { below.requiresComplete }

    public func drawn(into medium: Medium) -> OverlaidRequest {
        OverlaidRequest(below.drawn(into: medium), above: above)
    }

    /// Equal for requests with equal parts.
    public struct CoalescingKey: Hashable, Sendable {
        let below: SharedKey
        let above: SharedKey
    }

    public var coalescingKey: CoalescingKey? {
        guard let below = below.sharedKey, let above = above.sharedKey else { return nil }
        return CoalescingKey(below: below, above: above)
    }
}
