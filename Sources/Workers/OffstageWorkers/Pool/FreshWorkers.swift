/// When a document gets a worker that has drawn nothing before. If a document's code takes over its worker, it can read
/// and forge only the worker's later drawings.
public enum FreshWorkers: String, Sendable, Hashable, CaseIterable {
    /// For each document. Several pictures of one document, such as the pages of a PDF file, may have one worker.
    case document
    /// For each client of the renderer (`RenderOptions.client`). A request without a client is treated as with
    /// `document`.
    case client
    /// Never: all documents share the workers. The default.
    case never
}
