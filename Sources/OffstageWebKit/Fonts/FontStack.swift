/// A CSS `font-family` value: names in the order of the author's wish.
struct FontStack: Hashable, CustomStringConvertible {
    enum Name: Hashable {
        case family(String)
        /// `sans-serif` and its like: whatever font may stand in.
        case generic(String)
    }

    let names: [Name]

    /// - Parameter css: as WebKit computes it: names with spaces or signs in double quotes, separated by commas.
    init(css: String) {
        var names: [Name] = []
        var rest = css[...]
        while true {
            rest = rest.drop { $0 == " " || $0 == "," }
            guard let first = rest.first else { break }
            if first == "\"" || first == "'" {
                let end = rest.dropFirst().firstIndex(of: first) ?? rest.endIndex
                names.append(.family(String(rest[rest.index(after: rest.startIndex)..<end])))
                rest = rest[end...].dropFirst()
            } else {
                let name = rest.prefix { $0 != "," }
                rest = rest[name.endIndex...]
                let word = String(name.reversed().drop { $0 == " " }.reversed())
                names.append(Self.isGeneric(word.lowercased()) ? .generic(word) : .family(word))
            }
        }
        self.names = names
    }

    private static let generics: Set = [
        "serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "math", "emoji", "fangsong",
        // GTK's, behind CSS's system fonts such as `menu`.
        "sans",
    ]

    /// WebKit computes `-webkit-standard` and the like for text whose author named nothing.
    static func isGeneric(_ word: String) -> Bool {
        generics.contains(word) || word.hasPrefix("ui-") || word.hasPrefix("-webkit-")
    }

    var description: String {
        names.map {
            switch $0 {
            case .family(let name), .generic(let name): name
            }
        }.joined(separator: ", ")
    }
}

/// The font families that a document can use: those installed, and those it brings.
@MainActor
struct FontFamilies {
    private let loaded: Set<String>

    /// - Parameter loaded: names of the document's own.
    init(loaded: [String]) { self.loaded = Set(loaded.map { $0.lowercased() }) }

    /// By its own name. That fontconfig has a substitute for Helvetica does not make it Helvetica.
    private func has(_ family: String) -> Bool {
        loaded.contains(family.lowercased()) || InstalledFonts.has(family: family)
    }

    /// The family that a stack names first, if it is not there.
    func replaced(in stack: FontStack) -> String? {
        guard case .family(let first) = stack.names.first, !has(first) else { return nil }
        return first
    }

    /// True: nothing that the stack names is there, and no generic family may stand in.
    func haveNothing(for stack: FontStack) -> Bool {
        stack.names.allSatisfy {
            switch $0 {
            case .family(let name): !has(name)
            case .generic: false
            }
        }
    }
}
