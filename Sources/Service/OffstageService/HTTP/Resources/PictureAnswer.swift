import Foundation
import Offstage

/// A picture as an HTTP response: its bytes, and headers that describe it.
struct PictureAnswer: Sendable {
    var format: FileFormat
    var size: PixelSize
    var scale: Double
    var warnings: [DrawingWarning]
    var tag: EntityTag
    var data: Data
    var isCached: Bool
    /// The name for saving, without extension; nil if the client gave no identifier.
    var name: String?

    init(_ drawn: ServeContext.Drawn, as format: FileFormat, name: String?) {
        let (picture, file) = (drawn.picture, drawn.picture.files[0])
        (self.format, self.name) = (format, name)
        (size, scale, warnings, isCached) = (file.size, file.scale, picture.warnings, picture.isCached)
        (tag, data) = (EntityTag(file.content), drawn.data)
    }

    init?(_ picture: StoredPicture, content: Digest, name: String) {
        self.init(picture.info, content, picture.data, name)
    }

    /// Without the bytes.
    init?(_ record: PictureRecord, name: String) {
        self.init(record.info, record.content, Data(), name)
    }

    private init?(_ info: PictureInfo, _ content: Digest, _ data: Data, _ name: String) {
        guard let format = FileFormat(fileExtension: info.format) else { return nil }
        (self.format, self.name, self.data) = (format, name, data)
        (size, scale, warnings, isCached) = (info.size, info.scale, info.warnings, true)
        tag = EntityTag(content)
    }

    /// The headers that describe the picture, even without its bytes.
    var headers: [(name: String, value: String)] {
        var headers = [
            (name: "ETag", value: tag.text), (name: "Cache-Control", value: "private, no-cache"),
            (name: "Vary", value: "Accept, Authorization"),
            (name: "Offstage-Size", value: "\(size.width)x\(size.height)"),
            (name: "Offstage-Scale", value: String(format: "%g", scale)),
            (name: "Offstage-Warnings", value: Self.summary(of: warnings)),
        ]
        if let name { headers.append((name: "Content-Disposition", value: Self.disposition(name, format))) }
        return headers
    }

    /// Each code once; the results of a batch have all warnings.
    static func summary(of warnings: [DrawingWarning]) -> String {
        var codes: [String] = []
        for warning in warnings where !codes.contains(warning.code.name) { codes.append(warning.code.name) }
        return codes.isEmpty ? "0" : "\(warnings.count); \(codes.joined(separator: ", "))"
    }

    var answer: HTTPAnswer {
        var answer = HTTPAnswer(200, format.kind.mediaType, data)
        answer.headers += headers
        answer.headers.append((name: "X-Content-Type-Options", value: "nosniff"))
        answer.isCached = isCached
        return answer
    }

    /// Lets browsers show the picture, and save it under the last part of the identifier (RFC 6266; ASCII only for old
    /// clients).
    static func disposition(_ name: String, _ format: FileFormat) -> String {
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
