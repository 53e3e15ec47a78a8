import Foundation
import Offstage

/// A step between ready and paint: what the text of a document lacks.
extension WebStage {
    /// Leaves warnings with the scene. It asks the document a second time only where the answer could be of use.
    func checkFonts(of scene: Scene, _ readiness: Readiness) async throws {
        let (boxes, doubtful) = MissingGlyphs.notInstalled(readiness.characters)
        let isSure = readiness.loadedFonts.isEmpty
        var missing = isSure ? boxes : []
        let asked = (isSure ? [] : boxes) + doubtful
        if !asked.isEmpty { missing += try await self.boxes(among: asked, doubtful: doubtful) }
        scene.fontWarnings += MissingGlyphs.warnings(missing.sorted())
        let families = FontFamilies(loaded: readiness.loadedFonts)
        let stacks = readiness.fontStacks.map(FontStack.init(css:))
        if scene.snippet.requiresNamedFonts {
            let replaced = Set(stacks.compactMap(families.replaced(in:))).sorted()
            if !replaced.isEmpty { throw DrawingError.fontsReplaced(replaced) }
        }
        for stack in stacks where families.haveNothing(for: stack) {
            scene.fontWarnings.append(DrawingWarning(.fontReplaced, stack.description))
        }
    }

    /// Those of the characters that a font of the document's own does not have either, or not where they stand; of the
    /// doubtful ones, those that are drawn.
    private func boxes(among characters: [Unicode.Scalar], doubtful: [Unicode.Scalar]) async throws -> [Unicode.Scalar]
    {
        let arguments = try [characters, doubtful].map {
            String(decoding: try JSONEncoder().encode(String(String.UnicodeScalarView($0))), as: UTF8.self)
        }
        let found = try await outcome(isInterruptible: false) {
            evaluate("return offstage.boxes(\(arguments.joined(separator: ", ")))", $0)
        }.get()
        return Array(found.unicodeScalars)
    }
}
