/// The ways in which a web process's documents used fonts.
///
/// WebKit lets go of fonts once it has 225 that no document uses any more. Where that happens within a line, WebKit puts the
/// line's letters together wrongly. The engine replaces the process before.
struct FontUses {
    private var declarations: Set<Set<Int>> = []
    private static let most = 50
    /// Leaves time for the next process to start.
    private static let many = 40

    /// Time for a successor.
    var areMany: Bool { declarations.count > Self.many }
    /// The process may draw nothing more.
    var areTooMany: Bool { declarations.count > Self.most }

    /// - Parameter declarations: the declarations of one document, see `SourceText.fontDeclarations`.
    mutating func note(_ declarations: Set<Int>) { self.declarations.insert(declarations) }
}
