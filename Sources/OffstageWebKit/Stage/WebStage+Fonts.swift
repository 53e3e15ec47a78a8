import Foundation
import Offstage

/// A step between ready and paint: what the text of a document lacks.
extension WebStage {
    /// Leaves warnings with the scene. It asks the document a second time only where the answer could be of use.
    func checkFonts(of scene: Scene, _ readiness: Readiness) async throws {
        let candidates = MissingGlyphs.notInstalled(readiness.characters)
        if !candidates.isEmpty {
            let missing = readiness.loadedFonts.isEmpty ? candidates : try await boxes(among: candidates)
            scene.fontWarnings += MissingGlyphs.warnings(missing)
        }
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

    /// Those of the characters that a font of the document's own does not have either, or not where they stand.
    private func boxes(among characters: [Unicode.Scalar]) async throws -> [Unicode.Scalar] {
        let text = String(String.UnicodeScalarView(characters))
        let json = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
        let found = try await outcome(isInterruptible: false) {
            evaluate("return offstage.boxes(\(json))", $0)
        }.get()
        return found.unicodeScalars.sorted()
    }
}
