extension Renderer {
    /// A request's pictures, if they are in memory and no file has to be compared: for a host that paints in the same
    /// turn of its loop. This does not count as a request.
    package func picturesAtOnce(for request: any DrawingRequest) -> [RenderedPicture]? {
        guard shelf.holdsPictures, let keyed = keyed(request) else { return nil }
        return shelf.picturesAtOnce(for: keyed, as: .pixels(of: request))?.usable
    }

    /// The engine for a request; nil if the renderer has none.
    func lane(for request: any DrawingRequest) -> EngineLane? {
        if let boxed = request as? BoxedRequest { return lane(for: boxed.whole).map { EngineLane(boxing: $0) } }
        guard let overlaid = request as? OverlaidRequest else { return lanes.first { $0.draws(request) } }
        guard let below = lane(for: overlaid.below), let above = lane(for: overlaid.above) else { return nil }
        return EngineLane(below, under: above)
    }

    /// The fingerprint of everything that decides the pixels, except for the files that the drawing loads; nil for a picture that is not cached.
    package func fingerprint(of request: any DrawingRequest) -> Fingerprint? { keyed(request)?.fingerprint }
}
