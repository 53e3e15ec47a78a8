import Foundation

/// A date as PDF documents and XFDF files write it: `D:20261127120000+01'00'`.
enum PDFDate {
    /// In UTC.
    static func text(_ date: Date) -> String {
        var second = time_t(min(max(date.timeIntervalSince1970, -62_135_596_800), 253_402_300_799))
        var parts = tm()
        gmtime_r(&second, &parts)
        return String(
            format: "D:%04d%02d%02d%02d%02d%02dZ", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
            parts.tm_hour, parts.tm_min, parts.tm_sec)
    }

    /// Everything after the year can be missing.
    ///
    /// - Returns: nil for a text that is not a date.
    static func date(_ text: String) -> Date? {
        var rest = Substring(text.hasPrefix("D:") ? String(text.dropFirst(2)) : text)
        guard let year = number(&rest, 4) else { return nil }
        // Month, day, hour, minute, second.
        var (parts, lowest, highest) = ([1, 1, 0, 0, 0], [1, 1, 0, 0, 0], [12, 31, 23, 59, 59])
        for index in parts.indices {
            guard rest.first?.isNumber == true else { break }
            guard let part = number(&rest, 2), (lowest[index]...highest[index]).contains(part) else { return nil }
            parts[index] = part
        }
        var time = tm()
        time.tm_year = Int32(year - 1900)
        time.tm_mon = Int32(parts[0] - 1)
        time.tm_mday = Int32(parts[1])
        (time.tm_hour, time.tm_min, time.tm_sec) = (Int32(parts[2]), Int32(parts[3]), Int32(parts[4]))
        var seconds = timegm(&time)
        if let sign = rest.first, sign == "+" || sign == "-" {
            rest.removeFirst()
            let hours = number(&rest, 2) ?? 0
            if rest.first == "'" || rest.first == ":" { rest.removeFirst() }
            let offset = hours * 3600 + (number(&rest, 2) ?? 0) * 60
            seconds -= sign == "+" ? offset : -offset
        }
        return Date(timeIntervalSince1970: Double(seconds))
    }

    /// Takes a number with as many digits.
    private static func number(_ rest: inout Substring, _ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        rest = rest.dropFirst(count)
        return Int(digits)
    }
}
