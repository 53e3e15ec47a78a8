import Foundation
import Offstage
import OffstageSound

/// The values of the options of sounds.
extension OptionValue<Double> {
    package static let timeKind = "a time such as 90, 1:30.5 or 1:02:03"

    /// A time of a sound, in seconds.
    static var time: Self { .text("TIME|SECONDS", timeKind) { time(of: $0) } }

    /// Seconds, minutes and seconds, or hours, minutes and seconds.
    package static func time(of text: String) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard (1...3).contains(parts.count) else { return nil }
        var seconds = 0.0
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) || (isLast && $0 == 0x2E) }),
                let number = Double(part), index == 0 || number < 60
            else { return nil }
            seconds = seconds * 60 + number
        }
        return seconds <= 1e9 ? seconds : nil
    }
}

extension OptionValue<[Double]> {
    static var times: Self {
        Self("TIME|SECONDS", isList: true) { options, name throws(UsageError) in
            let texts = options.strings(name)
            if texts.isEmpty { return nil }
            return try texts.map { text throws(UsageError) in
                guard let time = OptionValue<Double>.time(of: text) else {
                    throw UsageError("--\(name) takes \(OptionValue<Double>.timeKind), not '\(text.excerpt)'")
                }
                return time
            }
        }
    }
}

extension OptionValue<[WaveformStyle.Region]> {
    static var regions: Self {
        Self("TIME,TIME", isList: true) { options, name throws(UsageError) in
            let texts = options.strings(name)
            if texts.isEmpty { return nil }
            return try texts.map { text throws(UsageError) in
                let times = text.split(separator: ",", omittingEmptySubsequences: false).map {
                    OptionValue<Double>.time(of: String($0))
                }
                guard times.count == 2, let from = times[0], let to = times[1], from < to else {
                    throw UsageError(
                        "--\(name) takes two times such as 0:30,1:15, the earlier one first, not '\(text.excerpt)'")
                }
                return WaveformStyle.Region(from: from, to: to)
            }
        }
    }
}

extension OptionValue<WaveformColors.Paint> {
    /// A colour, or two colours separated by a comma.
    static var paint: Self {
        .text("COLOR", "a colour such as #1e90ff, or the upper and lower colours of a gradient such as orange,red") {
            if let color = Color(css: $0) { return WaveformColors.Paint(color) }
            // A colour may have commas in parentheses. The first comma outside them separates two colours.
            var depth = 0
            let comma = $0.utf8.firstIndex { byte in
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") { depth -= 1 }
                return byte == UInt8(ascii: ",") && depth == 0
            }
            guard let comma, let top = Color(css: String($0[..<comma])),
                let bottom = Color(css: String($0[$0.utf8.index(after: comma)...]))
            else { return nil }
            return WaveformColors.Paint(top, bottom: bottom)
        }
    }
}
