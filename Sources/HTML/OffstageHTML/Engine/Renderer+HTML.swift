import Foundation
import Offstage

extension Renderer {
    /// Renders HTML. `picture(for:)` takes a `Snippet`, which has more options.
    ///
    /// - Parameters:
    ///   - html: A document or a fragment, according to `intent`.
    ///   - identifier: The host's name for the picture. The cache stores the picture under this name.
    ///   - intent: The purpose of the HTML; default a whole document.
    ///   - attributes: Values for the intent's page, by token; default none.
    ///   - width: CSS px; default 400.
    ///   - scale: Device px per CSS px; default 1.
    ///   - options: If `usesCache` is false, cached pictures are ignored. If `storesResult` is false, the result is not
    ///     cached.
    /// - Throws: `TemplateError` if the attributes do not fit the intent; `RenderError`.
    public func picture(
        html: String, identifier: String, intent: Snippet.Intent = .document, attributes: [String: String] = [:],
        width: Int = 400, scale: Double = 1, options: RenderOptions = RenderOptions()
    ) async throws -> RenderedPicture {
        let snippet = try Snippet(
            html, identifier: identifier, intent: intent, attributes: attributes, width: width, scale: scale)
        return try await picture(for: snippet, options: options)
    }

    /// The program's shared renderer, created on first use. It has two views, or one on a machine with one core. It caches
    /// pictures in memory and in a store of the program's own below `PictureStore.defaultFolder`.
    ///
    /// `finish` frees its views; the next use creates a new renderer.
    @MainActor public static var shared: Renderer {
        if let renderer = current, !renderer.isFinished { return renderer }
        var configuration = RendererConfiguration()
        configuration.memory = sharedMemory
        // Each program has its own store, because another program may use the same identifiers for other pictures.
        configuration.store = PictureStore(
            folder: PictureStore.defaultFolder + "/" + ProcessInfo.processInfo.processName)
        let views = min(2, ProcessInfo.processInfo.activeProcessorCount)
        let renderer = Renderer(engine: HTMLEngine(views: views), configuration: configuration)
        current = renderer
        return renderer
    }

    @MainActor private static var current: Renderer?
    /// Shared with the next renderer once this one has finished.
    @MainActor private static let sharedMemory = CachedPictures.cache()
}
