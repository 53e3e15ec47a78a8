import Foundation
import Offstage

/// The numbers in a text, separated by commas or line ends.
struct Numbers {
    let values: [Double]

    /// - Throws: `DrawingError` with the problem and a remedy.
    init(csv: Data) throws(DrawingError) {
        let words = String(decoding: csv, as: UTF8.self).split { $0 == "," || $0.isNewline }
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        values = words.compactMap { Double($0) }
        if words.isEmpty { throw .empty }
        guard values.count == words.count, values.allSatisfy(\.isFinite) else {
            throw .invalidRequest("not all of its words are numbers; use numbers with commas between them")
        }
    }

    /// The values of `count` columns, from 0 to 1 of the largest value.
    func shares(_ count: Int) -> [Double] {
        let largest = max(values.max() ?? 0, .leastNonzeroMagnitude)
        return (0..<count).map { max(0, values[$0 * values.count / count] / largest) }
    }
}
