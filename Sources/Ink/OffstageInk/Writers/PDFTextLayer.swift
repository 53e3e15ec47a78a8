import Foundation

/// The words of texts, invisible over the outlines of their letters, so that a reader can search and copy them.
///
/// The fonts are Type 3 fonts with empty letters of equal width. So no font has to be embedded, and the picture does
/// not change.
struct PDFTextLayer {
    /// The letters of one line, from left to right.
    struct Line {
        /// The codes of consecutive letters of one font, by its object.
        var runs: [(font: Int, codes: [UInt8])] = []
        /// The left end of the baseline, in points.
        var x: Float
        var y: Float
        /// Points: the width of one letter, and of the line.
        var letterWidth: Float
        var height: Float
    }

    private struct Font {
        let number: Int
        /// The characters, from code 1 on.
        var letters: [String] = []
    }

    private var fonts: [Font] = []
    private var codes: [String: (font: Int, code: UInt8)] = [:]

    /// - Parameters:
    ///   - text: the text; a line of it becomes a line here.
    ///   - letters: its outlines, which the lines cover.
    mutating func lines(of text: InkText, over letters: InkLetters, in document: inout PDFBytes) -> [Line] {
        let places = letters.outlines.flatMap { $0 }
        guard let left = places.map(\.x).min(), let right = places.map(\.x).max(), let top = places.map(\.y).min(),
            let bottom = places.map(\.y).max(), right > left
        else { return [] }
        let lines = text.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(Self.letters)
        let written = lines.indices.filter { lines[$0].contains { !$0.allSatisfy(\.isWhitespace) } }
        guard let first = written.first, let last = written.last else { return [] }
        let longest = written.map { lines[$0].count }.max() ?? 1
        // The capitals of a line are about 0.75 of its size high.
        let height = max(text.size, 1)
        let pitch = last > first ? max(0, bottom - top - 0.8 * height) / Float(last - first) : 0
        return written.map { index in
            var line = Line(
                x: left, y: top + 0.75 * height + pitch * Float(index - first),
                letterWidth: (right - left) / Float(longest), height: height)
            for letter in Self.fromLeft(lines[index]) { add(letter, to: &line, in: &document) }
            return line
        }
    }

    private mutating func add(_ letter: String, to line: inout Line, in document: inout PDFBytes) {
        let code: (font: Int, code: UInt8)
        if let known = codes[letter] {
            code = known
        } else {
            if fonts.last.map({ $0.letters.count == 255 }) ?? true { fonts.append(Font(number: document.reserve(2))) }
            fonts[fonts.count - 1].letters.append(letter)
            code = (fonts[fonts.count - 1].number, UInt8(fonts[fonts.count - 1].letters.count))
            codes[letter] = code
        }
        if line.runs.last?.font == code.font {
            line.runs[line.runs.count - 1].codes.append(code.code)
        } else {
            line.runs.append((code.font, [code.code]))
        }
    }

    /// Writes the fonts. Call this after the last page.
    func finish(_ document: inout PDFBytes) {
        if fonts.isEmpty { return }
        let empty = document.reserve(1)
        document.addStream(empty, "", Data("1000 0 d0".utf8))
        for font in fonts {
            let names = String(repeating: "/g", count: font.letters.count)
            let widths = [String](repeating: "1000", count: font.letters.count).joined(separator: " ")
            document.add(
                font.number,
                "<</Type/Font/Subtype/Type3/FontBBox[0 -250 1000 750]/FontMatrix[.001 0 0 .001 0 0]"
                    + "/CharProcs<</g \(empty) 0 R>>/Encoding<</Type/Encoding/Differences[1\(names)]>>"
                    + "/FirstChar 1/LastChar \(font.letters.count)/Widths[\(widths)]/ToUnicode \(font.number + 1) 0 R>>"
            )
            document.addStream(font.number + 1, "", Self.characterMap(font.letters))
        }
    }

    /// The characters of the codes, from 1 on.
    private static func characterMap(_ letters: [String]) -> Data {
        var map = """
            /CIDInit /ProcSet findresource begin 12 dict begin begincmap
            /CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def
            /CMapName /Adobe-Identity-UCS def /CMapType 2 def
            1 begincodespacerange <00> <FF> endcodespacerange

            """
        let entries = letters.enumerated().map { index, letter in
            "<\(hex(index + 1, 2))> <\(letter.utf16.map { hex(Int($0), 4) }.joined())>\n"
        }
        // The standard allows at most 100 entries per list.
        for start in stride(from: 0, to: entries.count, by: 100) {
            let part = entries[start..<min(start + 100, entries.count)]
            map += "\(part.count) beginbfchar\n\(part.joined())endbfchar\n"
        }
        return Data((map + "endcmap CMapName currentdict /CMap defineresource pop end end\n").utf8)
    }

    private static func hex(_ number: Int, _ digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// The characters of a line. A long one, such as a letter with many accents, is divided.
    private static func letters(_ line: Substring) -> [String] {
        line.flatMap { $0.utf16.count > 16 ? $0.unicodeScalars.map { String($0) } : [String($0)] }.map {
            $0.unicodeScalars.contains { $0.properties.generalCategory == .control } ? " " : $0
        }
    }

    /// The letters in visual order. Readers expect this for Hebrew and Arabic, and restore the logical order.
    private static func fromLeft(_ letters: [String]) -> [String] {
        guard letters.contains(where: isFromRight) else { return letters }
        // Runs of one direction. Spaces and punctuation belong to the preceding run.
        var runs: [(isFromRight: Bool, letters: [String])] = []
        for letter in letters {
            let isStrong = isFromRight(letter) || letter.contains { $0.isLetter || $0.isNumber }
            if let last = runs.indices.last, !isStrong || runs[last].isFromRight == isFromRight(letter) {
                runs[last].letters.append(letter)
            } else {
                runs.append((isFromRight(letter), [letter]))
            }
        }
        let inPlace = runs[0].isFromRight ? runs.reversed() : runs
        return inPlace.flatMap { $0.isFromRight ? $0.letters.reversed() : $0.letters }
    }

    /// True for the scripts that are written from right to left.
    private static func isFromRight(_ letter: String) -> Bool {
        letter.unicodeScalars.first.map {
            (0x590...0x8FF).contains($0.value) || (0xFB1D...0xFDFF).contains($0.value)
                || (0xFE70...0xFEFC).contains($0.value)
        } ?? false
    }
}
