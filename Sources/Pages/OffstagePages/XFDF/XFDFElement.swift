/// An annotation as written in XFDF, with numbers in document coordinates.
struct XFDFElement: Sendable, Hashable {
    /// The name in lower case: `highlight`.
    var name: String
    var attributes: [String: String] = [:]
    /// The texts of its child elements, by name. The texts of `gesture` elements are in `gestures`.
    var texts: [String: String] = [:]
    var gestures: [String] = []
    /// From 1, for messages.
    var line = 0

    /// - Parameter key: a required attribute.
    func wrong(_ key: String) -> XFDFProblem { .attribute(key, of: name, line: line) }

    /// The page, from 1.
    var page: Int {
        get throws(XFDFProblem) {
            guard let text = attributes["page"], let page = Int(text), (0..<Int(Int32.max)).contains(page) else {
                throw wrong("page")
            }
            return page + 1
        }
    }

    /// A list of numbers.
    ///
    /// - Returns: nil if the attribute is missing.
    /// - Throws: a problem if the text is not a list of numbers.
    func numbers(_ key: String) throws(XFDFProblem) -> [Double]? {
        guard let text = attributes[key] else { return nil }
        guard let numbers = Self.numbers(text) else { throw wrong(key) }
        return numbers
    }

    /// One number.
    func number(_ key: String, in range: ClosedRange<Double>) throws(XFDFProblem) -> Double? {
        guard let numbers = try numbers(key) else { return nil }
        guard numbers.count == 1, range.contains(numbers[0]) else { throw wrong(key) }
        return numbers[0]
    }

    /// Pairs of numbers, as in `gesture` and `vertices`: `1,2;3,4`.
    func points(_ text: String, of key: String) throws(XFDFProblem) -> [(Double, Double)] {
        guard let numbers = Self.numbers(text), numbers.count.isMultiple(of: 2) else { throw wrong(key) }
        return stride(from: 0, to: numbers.count, by: 2).map { (numbers[$0], numbers[$0 + 1]) }
    }

    /// The numbers of a text, separated by commas, semicolons or white space; nil for anything else.
    static func numbers(_ text: String) -> [Double]? {
        var numbers: [Double] = []
        for word in text.split(whereSeparator: { ",; \t\r\n".contains($0) }) {
            // The limit is larger than any coordinate of a page.
            guard let number = Double(word), abs(number) <= 1e7 else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}
