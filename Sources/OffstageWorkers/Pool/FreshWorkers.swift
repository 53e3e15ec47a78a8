/// When a document gets a worker that has drawn nothing before. Code of a document that takes over its worker can read and forge only what
/// that worker draws afterwards.
public enum FreshWorkers: String, Sendable, Hashable, CaseIterable {
    /// For each document. Several pictures of one document, such as the pages of a PDF file, may have one worker.
    case document
    /// For each client of the renderer (`RenderOptions.client`). A request that names no client counts as a client of its own, as
    /// for `document`.
    case client
    /// Never: all documents share the workers. The default.
    case never
}
