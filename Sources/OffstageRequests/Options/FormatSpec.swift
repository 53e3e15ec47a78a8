import Foundation
import Offstage
import OffstageWebKit

/// A file format with its options, as `--format` and `--also` take it: `jpeg:quality=80,subsampling=4:2:0`.
package struct FormatSpec {
    /// The option and the format, as messages call them: `--also jpeg`.
    private let title: String
    private let values: [String: Value]

    private enum Value {
        /// A key without a value.
        case alone
        case text(String)
    }

    /// - Parameters:
    ///   - option: with its dashes.
    ///   - others: what else the option takes, for the message.
    package static func format(
        _ text: Substring, of option: String, orElse others: [String] = []
    ) throws(UsageError) -> ImageFormat {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let format = ImageFormat.all.first(where: { $0.name == parts[0] }) else {
            let known = ImageFormat.all.map(\.name) + others
            throw UsageError("\(option) takes \(known.formatted("or")), not '\(parts[0])'")
        }
        let keys = keys(of: format)
        let spec = try FormatSpec(parts.dropFirst().first, title: "\(option) \(parts[0])", keys: keys)
        switch format {
        case .png: return .png(try spec.png())
        case .jpeg: return .jpeg(try spec.jpeg())
        case .webp: return .webp(try spec.webp())
        case .raw: return .raw(try spec.raw())
        case .pdf: return .pdf(PDFEncoder(paper: try spec.paper()))
        case .svg: return .svg()
        }
    }

    /// The format that a file's name asks for; PNG where it has no extension.
    package static func format(ofFile path: String) throws(UsageError) -> ImageFormat {
        let fileExtension = (path as NSString).pathExtension
        if fileExtension.isEmpty { return .png() }
        if let format = ImageFormat(fileExtension: fileExtension) { return format }
        throw unknownExtension("-o \(path)")
    }

    /// - Parameter name: the file, as the message calls it.
    package static func unknownExtension(_ name: String) -> UsageError {
        let known = ImageFormat.all.flatMap(\.fileExtensions).map { ".\($0)" }
        return UsageError("\(name) has an extension that stands for no format; use \(known.formatted("or"))")
    }

    private static func keys(of format: ImageFormat) -> [String] {
        switch format {
        case .png: ["level", "palette"]
        case .jpeg: ["quality", "subsampling", "background"]
        case .webp: ["quality", "lossless"]
        case .raw: ["bgra", "rgba"]
        case .pdf: ["page", "landscape", "margin"]
        case .svg: []
        }
    }

    private init(_ text: Substring?, title: String, keys: [String]) throws(UsageError) {
        self.title = title
        var values: [String: Value] = [:]
        for part in text.map(Self.parts) ?? [] {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard keys.contains(pair[0]) else {
                if keys.isEmpty { throw UsageError("\(title) takes no options, not '\(pair[0])' either") }
                throw UsageError("\(title) takes \(keys.formatted("and")), not '\(pair[0])'")
            }
            let value = pair.count == 1 ? Value.alone : .text(pair[1])
            if values.updateValue(value, forKey: pair[0]) != nil {
                throw UsageError("\(title): \(pair[0]) stands twice")
            }
        }
        self.values = values
    }

    /// Commas part the options, save those of a colour in brackets.
    private static func parts(_ text: Substring) -> [String] {
        var parts = [""]
        var depth = 0
        for character in text {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if character == ",", depth == 0 { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        return parts
    }

    private func png() throws(UsageError) -> PNGEncoder {
        var encoder = PNGEncoder()
        if let level = try integer("level", in: 0...9) { encoder.level = level }
        encoder.usesPalette = try has("palette")
        return encoder
    }

    private func jpeg() throws(UsageError) -> JPEGEncoder {
        var encoder = JPEGEncoder()
        if let quality = try integer("quality", in: 1...100) { encoder.quality = quality }
        if let text = try text("subsampling") {
            guard let subsampling = JPEGEncoder.Subsampling(rawValue: text) else {
                let known = JPEGEncoder.Subsampling.allCases.map(\.rawValue)
                throw wrong("subsampling", known.formatted("or"), text)
            }
            encoder.subsampling = subsampling
        }
        if let text = try text("background") {
            guard let color = Color(css: text), color.isOpaque else {
                throw wrong("background", "an opaque colour such as white, #1e90ff or rgb(30,144,255)", text)
            }
            encoder.background = color
        }
        return encoder
    }

    private func webp() throws(UsageError) -> WebPEncoder {
        let quality = try integer("quality", in: 0...100)
        if try has("lossless"), quality != nil {
            throw UsageError("\(title): lossless and quality cannot both be; use one")
        }
        return WebPEncoder(compression: quality.map { .quality($0) } ?? .lossless)
    }

    private func raw() throws(UsageError) -> RawEncoder {
        let (isBGRA, isRGBA) = (try has("bgra"), try has("rgba"))
        if isBGRA, isRGBA { throw UsageError("\(title): bgra and rgba cannot both be; use one") }
        return RawEncoder(layout: isRGBA ? .rgba : .bgra)
    }

    /// Nil for one page of the content's size.
    private func paper() throws(UsageError) -> Paper? {
        let isLandscape = try has("landscape")
        guard let name = try text("page") else {
            if isLandscape || values["margin"] != nil {
                throw UsageError("\(title): landscape and margin go with page=… only")
            }
            return nil
        }
        guard let size = PaperSize(name) else {
            let known = PaperSize.names.joined(separator: ", ")
            throw wrong("page", "\(known) or WIDTHxHEIGHT in mm, such as 148x210, up to 5000 a side", name)
        }
        var margin = 20.0
        if let text = try text("margin") {
            guard let number = Double(text), number >= 0, number <= 1000 else {
                throw wrong("margin", "mm, 0 or more", text)
            }
            margin = number
        }
        let (width, height) = isLandscape ? (size.height, size.width) : (size.width, size.height)
        let points = Paper.pointsPerMillimetre
        let paper = Paper(width: width * points, height: height * points, margin: margin * points)
        if paper.content.width < 1 || paper.content.height < 1 {
            throw UsageError(
                "\(title): a margin of \(String(format: "%g", margin)) mm leaves nothing of the page; use a smaller one"
            )
        }
        return paper
    }

    private func has(_ key: String) throws(UsageError) -> Bool {
        if case .text(let text) = values[key] { throw UsageError("\(title): \(key) stands alone, without '=\(text)'") }
        return values[key] != nil
    }

    private func text(_ key: String) throws(UsageError) -> String? {
        switch values[key] {
        case nil: nil
        case .alone: throw UsageError("\(title): \(key) needs a value: \(key)=…")
        case .text(let text): text
        }
    }

    private func integer(_ key: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = try text(key) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw wrong(key, "a whole number from \(range.lowerBound) to \(range.upperBound)", text)
        }
        return number
    }

    private func wrong(_ key: String, _ allowed: String, _ text: String) -> UsageError {
        UsageError("\(title): \(key) takes \(allowed), not '\(text)'")
    }
}
