/// A request with the fingerprint that its pictures are cached under. The renderer computes it once and passes it along.
package struct KeyedRequest: Sendable {
    package let request: any DrawingRequest
    package let fingerprint: Fingerprint
    let lane: EngineLane
    /// The request's identifier, unless the caller sets another one.
    package var identifier: String

    /// The current content of a file that a drawing of the request used; nil if it is missing.
    package func digest(of path: String) async -> Digest? { await lane.digest(of: path, for: request) }

    /// True if the files that a drawing used have the same content now.
    func isCurrent(_ dependencies: [Dependency]) async -> Bool {
        await lane.isCurrent(dependencies, for: request)
    }
}

extension Renderer {
    /// The request with its fingerprint; nil if its pictures are not cached because its engine gives it no fingerprint,
    /// or because it has no engine.
    package func keyed(_ request: any DrawingRequest) -> KeyedRequest? {
        guard let lane = lane(for: request), let fingerprint = lane.fingerprint(of: request) else { return nil }
        return KeyedRequest(request: request, fingerprint: fingerprint, lane: lane, identifier: request.identifier)
    }
}
