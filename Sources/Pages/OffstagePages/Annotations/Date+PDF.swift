import Foundation

/// The standard's time format: `D:20261127120000+01'00'`.
extension Date {
    private static var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }

    /// To the second, in UTC; nil for a year that has more than four digits.
    var pdfDate: String? {
        let parts = Self.calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: self)
        guard let year = parts.year, (1...9999).contains(year) else { return nil }
        let rest = [parts.month, parts.day, parts.hour, parts.minute, parts.second].map { Self.digits($0 ?? 0, 2) }
        return "D:" + Self.digits(year, 4) + rest.joined() + "Z"
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    /// Missing parts after the year have their first value. Nil if the text is not a time.
    init?(pdfDate text: String) {
        var rest = Substring(text)
        if rest.hasPrefix("D:") { rest = rest.dropFirst(2) }
        func number(_ count: Int) -> Int? {
            let digits = rest.prefix(count)
            guard digits.count == count, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
            rest = rest.dropFirst(count)
            return Int(digits)
        }
        guard let year = number(4) else { return nil }
        var parts = DateComponents(year: year, month: 1, day: 1, hour: 0, minute: 0, second: 0)
        if let month = number(2) {
            parts.month = month
            if let day = number(2) {
                parts.day = day
                if let hour = number(2) {
                    parts.hour = hour
                    if let minute = number(2) {
                        parts.minute = minute
                        parts.second = number(2) ?? 0
                    }
                }
            }
        }
        var offset = 0
        if let sign = rest.first, sign == "+" || sign == "-" {
            rest = rest.dropFirst()
            let hours = number(2) ?? 0
            if rest.first == "'" { rest = rest.dropFirst() }
            offset = (sign == "+" ? 1 : -1) * (60 * hours + (number(2) ?? 0)) * 60
        }
        guard let date = Self.calendar.date(from: parts) else { return nil }
        self = date.addingTimeInterval(-Double(offset))
    }
}
