import Foundation
import Offstage

/// A step between ready and paint: finds missing characters and font families.
extension WebStage {
    /// Adds warnings to the scene. Queries the document only if its source is inconclusive, or on request.
    func checkFonts(of scene: Scene, _ readiness: Readiness) async throws {
        let source = scene.source
        if source.isUnclear || !InstalledFonts.hasASCII || !source.characters.allSatisfy(InstalledFonts.has(code:)) {
            try await checkCharacters(of: scene, readiness)
        }
        if let family = scene.snippet.emulation.fonts.family { try checkDefault(family, of: scene) }
        if scene.snippet.requiresNamedFonts || source.isUnclear || source.mayLackGeneric {
            try await checkFamilies(of: scene, readiness)
        }
    }

    /// Checks the default font family that the caller names, even if the document has no text that would use it.
    private func checkDefault(_ family: String, of scene: Scene) throws {
        if FontStack.isGeneric(family.lowercased()) || InstalledFonts.has(family: family) { return }
        if scene.snippet.requiresNamedFonts { throw DrawingError.fontsReplaced([family]) }
        scene.fontWarnings.append(DrawingWarning(.fontReplaced, family))
    }

    private func checkCharacters(of scene: Scene, _ readiness: Readiness) async throws {
        let (boxes, doubtful) = MissingGlyphs.notInstalled(
            try await ask("characters(documents, \(!InstalledFonts.hasASCII))"))
        // Only the document's own fonts could contain them.
        let isSure = readiness.loadedFonts.isEmpty
        let asked = (isSure ? [] : boxes) + doubtful
        var missing = isSure ? boxes : []
        if !asked.isEmpty {
            let found = try await ask("boxes(documents, \(json(asked)), \(json(doubtful)))")
            missing += Array(found.unicodeScalars)
        }
        scene.fontWarnings += MissingGlyphs.warnings(missing.sorted())
    }

    private func checkFamilies(of scene: Scene, _ readiness: Readiness) async throws {
        let wantsAll = scene.snippet.requiresNamedFonts
        let answer = try await ask("families(documents, \(wantsAll))")
        let stacks = answer.split(separator: "\n").map { FontStack(css: String($0)) }
        let families = FontFamilies(loaded: readiness.loadedFonts)
        if wantsAll {
            let replaced = Set(stacks.compactMap(families.replaced(in:))).sorted()
            if !replaced.isEmpty { throw DrawingError.fontsReplaced(replaced) }
        }
        for stack in stacks where families.haveNothing(for: stack) {
            scene.fontWarnings.append(DrawingWarning(.fontReplaced, stack.description))
        }
    }

    /// - Parameter call: a call of a function in `text.js`.
    private func ask(_ call: String) async throws -> String {
        try await outcome(isInterruptible: false) {
            evaluate("\(PageScripts.text)\nconst documents = offstage.documents();\nreturn offstageText.\(call)", $0)
        }.get()
    }

    private func json(_ characters: [Unicode.Scalar]) -> String {
        let text = String(String.UnicodeScalarView(characters))
        // Encoding a single string cannot fail.
        return String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
    }
}
