import Foundation
import Testing

@testable import OffstageService

/// Splits bytes into lines, in whatever pieces they arrive.
@Suite struct LineSplitterTests {
    private static func lines(_ pieces: [Data], limit: Int = 100) -> [String] {
        var splitter = LineSplitter(limit: limit)
        var lines = pieces.flatMap { splitter.split($0) }
        if let last = splitter.finish() { lines.append(last) }
        return lines.map { line in
            guard case .bytes(let bytes) = line.content else { return "\(line.number):too long" }
            return "\(line.number):\(String(decoding: bytes, as: UTF8.self))"
        }
    }

    @Test func anyPiecesGiveTheSameLines() {
        let all = Data("\u{FEFF}one\r\n\n \t\r\n{\"é\": 1}\n\nlast".utf8)
        let right = ["1:one\r", "4:{\"é\": 1}", "6:last"]
        #expect(Self.lines([all]) == right)
        for first in all.indices {
            for second in first...all.endIndex {
                #expect(Self.lines([all[..<first], all[first..<second], all[second...]]) == right)
            }
        }
    }

    @Test func aLineThatIsTooLongIsToldOnceAndNotHeld() {
        let line = Data((String(repeating: "x", count: 11) + "\n").utf8)
        #expect(Self.lines([Data("a\n".utf8) + line + Data("b\n".utf8)], limit: 10) == ["1:a", "2:too long", "3:b"])
        var splitter = LineSplitter(limit: 10)
        #expect(splitter.split(line.dropLast()).map(\.content) == [.tooLong])
        for _ in 1...100 { #expect(splitter.split(line.dropLast()).isEmpty) }
        #expect(splitter.split(Data("\nb\n".utf8)).map(\.number) == [2])
        #expect(Self.lines([line.dropFirst()], limit: 10) == ["1:xxxxxxxxxx"])
        #expect(Self.lines([line.dropLast()], limit: 10) == ["1:too long"])
    }

    @Test func nothing() {
        #expect(Self.lines([]) == [])
        #expect(Self.lines([Data("\n\r\n  \n".utf8)]) == [])
    }
}

extension LineSplitter {
    /// The lines that these bytes complete, as far as there is memory.
    mutating func split(_ bytes: Data) -> [Line] {
        add(bytes)
        var lines: [Line] = []
        while case .line(let line) = next() { lines.append(line) }
        return lines
    }
}
