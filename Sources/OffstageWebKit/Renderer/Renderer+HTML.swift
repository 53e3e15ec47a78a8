import Foundation
import Offstage

extension Renderer {
    /// The picture of some HTML; see `image(for:)` for what a `Snippet` can say beyond this.
    ///
    /// - Parameters:
    ///   - identifier: the host's name for the picture, which it is kept under.
    ///   - intent: default a whole document.
    ///   - attributes: what goes into the intent's page; default none.
    ///   - width: CSS px; default 400.
    ///   - scale: device px to a CSS px; default 1.
    ///   - options: `usesCache` false ignores what is kept, `storesResult` false keeps nothing.
    /// - Throws: `TemplateError` for attributes that do not fit the intent; `RenderError`.
    public func image(
        html: String, identifier: String, intent: Snippet.Intent = .document, attributes: [String: String] = [:],
        width: Int = 400, scale: Double = 1, options: RenderOptions = RenderOptions()
    ) async throws -> RenderedImage {
        let snippet = try Snippet(
            html, identifier: identifier, intent: intent, attributes: attributes, width: width, scale: scale)
        return try await image(for: snippet, options: options)
    }

    /// One renderer for the whole program, made when it is first asked for: two views, or one on a machine with one core;
    /// pictures kept in memory, and on disk in a folder of the program's own in `ImageStore.defaultFolder`.
    ///
    /// After `finish`, which frees its views, the next use makes a new one. `PinnedEnvironment.apply` and the main loop are the
    /// program's to see to, as for any `WebEngine`.
    @MainActor public static var shared: Renderer {
        if let renderer = current, !renderer.isFinished { return renderer }
        var configuration = RendererConfiguration()
        configuration.memory = sharedMemory
        // Under the identifiers of another program stand other pictures.
        configuration.store = ImageStore(
            folder: ImageStore.defaultFolder + "/" + ProcessInfo.processInfo.processName)
        let views = min(2, ProcessInfo.processInfo.activeProcessorCount)
        let renderer = Renderer(engine: WebEngine(views: views), configuration: configuration)
        current = renderer
        return renderer
    }

    @MainActor private static var current: Renderer?
    /// It outlives a renderer that is finished.
    @MainActor private static let sharedMemory = KeptImages.cache()
}
