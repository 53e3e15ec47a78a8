import Foundation
import Offstage

extension Emulation {
    /// - Throws: `DrawingError.invalidRequest`.
    func validate() throws(DrawingError) {
        if let language, !Self.isLanguageTag(language) {
            throw .invalidRequest("the language '\(language)' is not a language tag; name one such as de or zh-TW")
        }
        guard Self.isTimeZone(timeZone) else {
            throw .invalidRequest("the time zone '\(timeZone)' is not known; name one such as UTC or Europe/Vienna")
        }
        guard Self.fontSizes.contains(fonts.size) else {
            throw .invalidRequest("the font size is \(fonts.size) CSS px; it must be \(Self.fontSizes.text)")
        }
        guard Self.minimumFontSizes.contains(fonts.minimumSize) else {
            throw .invalidRequest(
                "the minimum font size is \(fonts.minimumSize) CSS px; it must be \(Self.minimumFontSizes.text)")
        }
        if let family = fonts.family, family.isEmpty || family.utf8.contains(0) {
            throw .invalidRequest("the font family is empty; leave it out to use the machine's sans-serif")
        }
    }

    /// Allowed default font sizes, in CSS px.
    public static let fontSizes = 1...1000
    /// Allowed minimum font sizes, in CSS px.
    public static let minimumFontSizes = 0...1000

    /// True if the text has the form of a language tag. The language itself may be unknown.
    public static func isLanguageTag(_ text: String) -> Bool {
        text.wholeMatch(of: #/[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*/#) != nil
    }

    public static func isTimeZone(_ name: String) -> Bool { TimeZone(identifier: name) != nil }
}

extension ClosedRange<Int> {
    fileprivate var text: String { "\(lowerBound) to \(upperBound)" }
}
