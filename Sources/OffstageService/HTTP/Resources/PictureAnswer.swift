import Foundation
import Offstage

/// A picture as HTTP has it: its bytes, and in headers what is known of them.
struct PictureAnswer: Sendable {
    var format: ImageFormat
    var size: PixelSize
    var scale: Double
    var warnings: [DrawingWarning]
    var tag: EntityTag
    var data: Data
    var isKept: Bool
    /// Of the file, without its extension.
    var name: String?

    init(_ picture: RenderedFiles, _ file: RenderedFiles.File, as format: ImageFormat, _ data: Data) {
        self.format = format
        (size, scale, warnings, isKept) = (file.size, file.scale, picture.warnings, picture.isKept)
        tag = EntityTag(file.content)
        self.data = data
    }

    init?(_ picture: StoredPicture, content: Digest) {
        guard let format = ImageFormat(fileExtension: picture.info.format) else { return nil }
        self.format = format
        (size, scale, warnings, isKept) = (picture.info.size, picture.info.scale, picture.info.warnings, true)
        tag = EntityTag(content)
        data = picture.data
    }

    /// Several warnings of a code are told once; all of them, a batch's results tell.
    private var warningCodes: String {
        var codes: [String] = []
        for warning in warnings where !codes.contains(warning.code.name) { codes.append(warning.code.name) }
        return codes.joined(separator: ", ")
    }

    /// What tells of the picture, with it and without it.
    var headers: [(name: String, value: String)] {
        var headers = [
            (name: "ETag", value: tag.text), (name: "Cache-Control", value: "private, no-cache"),
            (name: "Vary", value: "Accept, Authorization"),
            (name: "Offstage-Size", value: "\(size.width)x\(size.height)"),
            (name: "Offstage-Scale", value: String(format: "%g", scale)),
            (name: "Offstage-Warnings", value: warnings.isEmpty ? "0" : "\(warnings.count); \(warningCodes)"),
        ]
        if let name { headers.append((name: "Content-Disposition", value: Self.disposition(name, format))) }
        return headers
    }

    var answer: HTTPAnswer {
        var answer = HTTPAnswer(200, format.kind.mediaType, data)
        answer.headers += headers
        answer.headers.append((name: "X-Content-Type-Options", value: "nosniff"))
        answer.isKept = isKept
        return answer
    }

    /// Shown, and saved under the identifier's last part (RFC 6266; its ASCII letters for those who read no others).
    private static func disposition(_ name: String, _ format: ImageFormat) -> String {
        let last = (name.split(separator: "/").last.map(String.init) ?? name) + "." + format.fileExtension
        let plain = String(
            last.unicodeScalars.map { scalar -> Character in
                let isPlain =
                    scalar.isASCII
                    && (scalar.properties.isAlphabetic || "0123456789.-_ ".unicodeScalars.contains(scalar))
                return isPlain ? Character(scalar) : "_"
            })
        var allowed = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
        allowed.insert(charactersIn: "0123456789!#$&+-.^_`|~")
        let escaped = last.addingPercentEncoding(withAllowedCharacters: allowed) ?? plain
        return "inline; filename=\"\(plain)\"" + (plain == last ? "" : "; filename*=UTF-8''\(escaped)")
    }
}
