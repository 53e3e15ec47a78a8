/// Finds texts that are certainly not CSS selectors, without an engine, to check options of runs that draw no HTML.
/// WebKit decides about everything else, such as the names of pseudo-classes.
struct SelectorSyntax {
    private let characters: [Unicode.Scalar]
    private var position = 0

    static func isWrong(_ text: String) -> Bool {
        var syntax = SelectorSyntax(characters: Array(text.unicodeScalars))
        return !syntax.mayBeList()
    }

    private init(characters: [Unicode.Scalar]) { self.characters = characters }

    private var next: Unicode.Scalar? { position < characters.count ? characters[position] : nil }

    /// Compound selectors with combinators or commas between them.
    private mutating func mayBeList() -> Bool {
        var needsCompound = true
        while true {
            skipSpace()
            guard let next else { return !needsCompound }
            if ",>+~".unicodeScalars.contains(next) {
                if needsCompound { return false }
                needsCompound = true
                position += 1
            } else {
                if !takeSimple(next) { return false }
                needsCompound = false
            }
        }
    }

    /// One part of a compound selector.
    private mutating func takeSimple(_ first: Unicode.Scalar) -> Bool {
        position += 1
        switch first {
        case "*", "|", "&": return true
        case "#": return takeName()
        case ".": return !Self.isDigit(next) && takeName()
        case ":":
            if next == ":" { position += 1 }
            guard !Self.isDigit(next), takeName() else { return false }
            if next == "(" {
                position += 1
                skipBlock(to: ")")
            }
            return true
        case "[":
            skipSpace()
            if next == nil || next == "]" { return false }
            skipBlock(to: "]")
            return true
        default:
            position -= 1
            return !Self.isDigit(first) && takeName()
        }
    }

    /// At least one character of a name.
    private mutating func takeName() -> Bool {
        let start = position
        while let next {
            if next == "\\" {
                position += 2
            } else if Self.isOfName(next) {
                position += 1
            } else {
                break
            }
        }
        return position > start
    }

    private static func isOfName(_ character: Unicode.Scalar) -> Bool {
        !character.isASCII || character == "-" || character == "_" || isDigit(character)
            || ("a"..."z").contains(character) || ("A"..."Z").contains(character)
    }

    private static func isDigit(_ character: Unicode.Scalar?) -> Bool {
        character.map { ("0"..."9").contains($0) } ?? false
    }

    /// Comments count as white space between two parts. As in CSS, the end of the text ends a comment.
    private mutating func skipSpace() {
        while let next {
            if next.properties.isWhitespace, next.isASCII {
                position += 1
            } else if next == "/", position + 1 < characters.count, characters[position + 1] == "*" {
                position += 2
                while position < characters.count, !(isNext("*") && isNext("/", after: 1)) { position += 1 }
                position += 2
            } else {
                return
            }
        }
    }

    private func isNext(_ character: Unicode.Scalar, after offset: Int = 0) -> Bool {
        position + offset < characters.count && characters[position + offset] == character
    }

    /// Skips the rest of a block, including nested blocks and strings. As in CSS, the end of the text ends them.
    private mutating func skipBlock(to end: Unicode.Scalar) {
        var ends = [end]
        while let next, let last = ends.last {
            position += 1
            switch next {
            case last: ends.removeLast()
            case "\\": position += 1
            case "\"", "'":
                if last == "\"" || last == "'" { continue }
                ends.append(next)
            case "(", "[", "{":
                if last == "\"" || last == "'" { continue }
                ends.append(next == "(" ? ")" : next == "[" ? "]" : "}")
            default: break
            }
        }
    }
}
