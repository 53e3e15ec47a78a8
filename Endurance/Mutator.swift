import Foundation
import SeededRandom

/// Makes new documents by mutating real ones.
struct Mutator {
    private let documents: [[UInt8]]
    private var random: SeededGenerator

    init(documents: [[UInt8]], seed: UInt64) {
        self.documents = documents
        random = SeededGenerator(seed: seed)
    }

    /// Makes one to eight changes to one document.
    mutating func next() -> Data {
        var bytes = documents.randomElement(using: &random)!
        for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty { change(&bytes) }
        return Data(bytes.prefix(1 << 20))
    }

    mutating func chance(_ part: Double) -> Bool { Double.random(in: 0..<1, using: &random) < part }

    private mutating func change(_ bytes: inout [UInt8]) {
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
        case 1: bytes.removeSubrange(range(in: bytes))
        case 2:
            let part = Array(bytes[range(in: bytes)])
            bytes.insert(contentsOf: part, at: place(in: bytes))
        case 3:
            // Repeats a tag. Repeating an opening tag nests elements.
            guard let tag = tag(in: bytes) else { return }
            let count = [3, 30, 300, 3_000].randomElement(using: &random)!
            bytes.insert(contentsOf: Array(repeatElement(tag, count: count).joined()), at: place(in: bytes))
        case 4:
            guard let tag = tag(in: bytes) else { return }
            bytes.insert(contentsOf: tag, at: place(in: bytes))
        case 5: replaceNumber(&bytes)
        case 6: bytes.insert(contentsOf: Self.pieces.randomElement(using: &random)!.utf8, at: place(in: bytes))
        default:
            let other = documents.randomElement(using: &random)!
            if other.isEmpty { return }
            let part = Array(other[range(in: other)])
            bytes.insert(contentsOf: part, at: place(in: bytes))
        }
    }

    private mutating func place(in bytes: [UInt8]) -> Int { Int.random(in: 0...bytes.count, using: &random) }

    private mutating func range(in bytes: [UInt8]) -> Range<Int> {
        let start = Int.random(in: bytes.indices, using: &random)
        return start..<min(bytes.count, start + Int.random(in: 1...400, using: &random))
    }

    private mutating func tag(in bytes: [UInt8]) -> ArraySlice<UInt8>? {
        let from = place(in: bytes)
        guard let start = bytes[from...].firstIndex(of: UInt8(ascii: "<")),
            let end = bytes[start...].prefix(300).firstIndex(of: UInt8(ascii: ">"))
        else { return nil }
        return bytes[start...end]
    }

    private mutating func replaceNumber(_ bytes: inout [UInt8]) {
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        let from = place(in: bytes)
        guard let start = bytes[from...].firstIndex(where: isDigit) else { return }
        let end = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.endIndex
        bytes.replaceSubrange(start..<end, with: Self.numbers.randomElement(using: &random)!.utf8)
    }

    private static let numbers = [
        "0", "-1", "1e9", "99999999", "33554431", "-33554432", "0.0000001", "1e38", "NaN", "2147483648", "65536", "",
    ]
    private static let pieces = [
        "<table><td colspan=1000 rowspan=65534>", "<svg><use href=#a id=a>", "<style>*{display:grid;columns:3}</style>",
        "<style>*{filter:blur(99px)}</style>", "<style>*{position:fixed;float:left}</style>", "<script>", "<!--", "]]>",
        "<style>:has(*)>*{content:counters(a,'.')}</style>", "<iframe src='data:text/html,<p>'></iframe>", "\0",
        "<img src=data:,>", "\u{202E}", "&#x1F468;&#x200D;", "<plaintext>", "<math><mfrac>", "<base href=x>",
        "<meta http-equiv=refresh content=0>", "<link rel=stylesheet href=x.css>", "'\"><", "}}}{{{",
    ]
}
