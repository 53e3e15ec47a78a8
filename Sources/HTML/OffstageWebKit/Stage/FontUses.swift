/// The different sets of font declarations in the documents that a web process has drawn.
///
/// WebKit releases fonts once it has 225 that are no longer used by any document. If that happens within a line, WebKit
/// lays out the line's letters incorrectly. The engine replaces the process before that.
struct FontUses {
    private var declarations: Set<Set<Int>> = []
    private static let most = 50
    /// This limit leaves time for the next process to start.
    private static let many = 40

    /// True if the process should be replaced. A successor still has time to start.
    var areMany: Bool { declarations.count > Self.many }
    /// True if the process must not draw any more.
    var areTooMany: Bool { declarations.count > Self.most }

    /// - Parameter declarations: the declarations of one document, see `SourceText.fontDeclarations`.
    mutating func note(_ declarations: Set<Int>) { self.declarations.insert(declarations) }
}
