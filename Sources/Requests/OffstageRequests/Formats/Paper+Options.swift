import Foundation
import Offstage

extension Paper {
    /// The paper for the options `page`, `landscape` and `margin`; nil for one page of the content's size.
    init?(_ options: FormatOptions) throws(UsageError) {
        let isLandscape = try options.has("landscape")
        guard let name = try options.text("page") else {
            let margin = try options.text("margin")
            if isLandscape || margin != nil {
                throw UsageError("\(options.title): landscape and margin need page=…")
            }
            return nil
        }
        guard let size = PaperSize(name) else {
            let known = PaperSize.names.joined(separator: ", ")
            throw options.wrong("page", "\(known) or WIDTHxHEIGHT in mm, such as 148x210, up to 5000 a side", name)
        }
        var margin = 20.0
        if let text = try options.text("margin") {
            guard let number = Double(text), number >= 0, number <= 1000 else {
                throw options.wrong("margin", "mm, 0 or more", text)
            }
            margin = number
        }
        let (width, height) = isLandscape ? (size.height, size.width) : (size.width, size.height)
        let points = Paper.pointsPerMillimetre
        self.init(width: width * points, height: height * points, margin: margin * points)
        if content.width < 1 || content.height < 1 {
            throw UsageError(
                "\(options.title): a margin of \(String(format: "%g", margin)) mm leaves no room on the page; use a smaller one"
            )
        }
    }
}
