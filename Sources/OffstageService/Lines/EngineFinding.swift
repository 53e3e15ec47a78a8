import Offstage

/// Whether a drawing had an engine.
struct EngineFinding: Sendable {
    /// Nil where it had one.
    let lack: EngineUnavailable?

    /// - Returns: nil for what is kept from before.
    init?(_ pictures: [RenderedFiles]) {
        if pictures.allSatisfy(\.isKept) { return nil }
        lack = nil
    }

    /// - Returns: nil for what has to do with the document, or with nobody.
    init?(_ error: ServiceError) {
        guard case .unavailable(let lack)? = error.reason else { return nil }
        self.lack = lack
    }
}
