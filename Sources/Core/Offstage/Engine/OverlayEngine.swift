/// An engine whose requests can be drawn over the drawings of other engines, see `OverlaidRequest`.
public protocol OverlayEngine<Request>: Engine {
    /// Draws a request over another drawing. Not cancellable.
    ///
    /// - Parameters:
    ///   - request: the request above. Its scale and margins have no effect.
    ///   - drawing: the drawing of the request below, with a picture for each of its parts.
    /// - Returns: the drawing with other pictures, of the same sizes, and the warnings of both.
    /// - Throws: `.invalidRequest` for a medium over which the engine cannot draw.
    func draw(_ request: Request, over drawing: Drawing) async throws(DrawingError) -> Drawing
}
