import Foundation

/// A table of text columns, each as wide as its widest cell.
struct TextTable {
    private var rows: [[String]]
    /// The right-aligned columns, which contain numbers.
    private let numbers: Set<Int>

    init(_ head: [String], numbers: Set<Int>) {
        rows = [head]
        self.numbers = numbers
    }

    mutating func add(_ cells: [String]) {
        precondition(cells.count == rows[0].count)
        rows.append(cells)
    }

    var text: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let line = zip(row.indices, row).map { column, cell in
                let space = String(repeating: " ", count: widths[column] - cell.count)
                return numbers.contains(column) ? space + cell : cell + space
            }.joined(separator: "  ")
            return line.reversed().drop { $0 == " " }.reversed() + "\n"
        }.joined()
    }
}

/// A figure with its significant digits, such as 0.034, 4.21, 512 or 104,213.
public func short(_ value: Double) -> String {
    let size = abs(value)
    if size != 0, size < 0.095 { return String(format: "%.3f", value) }
    if size < 99.5 { return String(format: size < 9.95 ? "%.2f" : "%.1f", value) }
    var digits = Substring(String(format: "%.0f", size))
    var groups: [Substring] = []
    while !digits.isEmpty {
        groups.insert(digits.suffix(3), at: 0)
        digits = digits.dropLast(3)
    }
    return (value < 0 ? "-" : "") + groups.joined(separator: ",")
}
