/// The ways in which a web process's documents used fonts.
///
/// WebKit releases fonts once it has 225 that are no longer used by any document. If that happens within a line, WebKit
/// lays out the line's letters incorrectly. The engine replaces the process before that.
struct FontUses {
    private var declarations: Set<Set<Int>> = []
    private static let most = 50
    /// This limit leaves time for the next process to start.
    private static let many = 40

    /// There is still time for a successor.
    var areMany: Bool { declarations.count > Self.many }
    /// The process must not draw any more.
    var areTooMany: Bool { declarations.count > Self.most }

    /// - Parameter declarations: the declarations of one document, see `SourceText.fontDeclarations`.
    mutating func note(_ declarations: Set<Int>) { self.declarations.insert(declarations) }
}
