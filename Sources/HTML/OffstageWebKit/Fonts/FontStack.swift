/// A CSS `font-family` value: font names in the author's order of preference.
struct FontStack: Hashable, CustomStringConvertible {
    enum Name: Hashable {
        case family(String)
        /// A generic family such as `sans-serif`, for which any suitable font may be used.
        case generic(String)
    }

    let names: [Name]

    /// - Parameter css: The value as WebKit computes it: names separated by commas, with names that contain spaces or symbols
    ///   in double quotes.
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
        // GTK's generic name, which WebKit reports for CSS system fonts such as `menu`.
        "sans",
    ]

    /// WebKit computes `-webkit-standard` and similar names for text without a declared font.
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

/// The font families available to a document: the installed ones and its own.
@MainActor
struct FontFamilies {
    private let loaded: Set<String>

    /// - Parameter loaded: Names of the document's own families.
    init(loaded: [String]) { self.loaded = Set(loaded.map { $0.lowercased() }) }

    /// True if a family of exactly this name is available. A substitute that fontconfig provides for Helvetica is not
    /// Helvetica.
    private func has(_ family: String) -> Bool {
        loaded.contains(family.lowercased()) || InstalledFonts.has(family: family)
    }

    /// The first family of a stack, if it is not available.
    func replaced(in stack: FontStack) -> String? {
        guard case .family(let first) = stack.names.first, !has(first) else { return nil }
        return first
    }

    /// True if no family of the stack is available and it has no generic family.
    func haveNothing(for stack: FontStack) -> Bool {
        stack.names.allSatisfy {
            switch $0 {
            case .family(let name): !has(name)
            case .generic: false
            }
        }
    }
}
