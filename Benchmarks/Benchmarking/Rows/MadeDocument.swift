import SeededRandom

/// Generated documents, for which a snippet would be unsuitable.
public enum MadeDocument {
    /// The cheapest row for an engine: a line of text on white, 40 CSS px high.
    public static func plainRow(_ number: Int) -> String {
        """
        <!doctype html><meta charset="utf-8"><title>Row \(number)</title>
        <body style="margin: 0; padding: 10px; font: 16px/20px sans-serif">Row \(number) of a list, one line of text</body>
        """
    }

    /// A report: a table with this many rows, each 25 CSS px high.
    public static func report(rows: Int, seed: UInt64) -> String {
        var generator = SeededGenerator(seed: seed)
        let names = ["Almond", "Barley", "Cocoa", "Dates", "Elder", "Fennel", "Ginger", "Hops"]
        var lines = ""
        for row in 1...rows {
            let name = names.randomElement(using: &generator)!
            let (amount, price) = (
                Int.random(in: 1...99, using: &generator), Int.random(in: 100...99_999, using: &generator)
            )
            lines += "<tr><td>\(row)<td>\(name)<td>\(amount)<td>\(price / 100).\(price % 100 / 10)\(price % 10)\n"
        }
        return """
            <!doctype html><meta charset="utf-8"><title>Report \(seed)</title>
            <style>
              body { margin: 0; font: 14px/24px sans-serif; color: #222 }
              table { width: 100%; border-collapse: collapse }
              td { padding: 0 12px; border-bottom: 1px solid #dde }
              td:nth-child(n + 3) { text-align: right; font-variant-numeric: tabular-nums }
              tr:nth-child(even) { background: #f5f6fa }
            </style>
            <table>
            \(lines)</table>
            """
    }
}
