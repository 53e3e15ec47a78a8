/// Media types by file extension.
///
/// The table is part of Offstage: the user's MIME database must not change a picture.
package enum MediaType {
    /// The media type for a path. `application/octet-stream` if the extension is unknown; WebKit then inspects the bytes.
    package static func of(path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return unknown }
        return types[name[name.index(after: dot)...].lowercased()] ?? unknown
    }

    /// True if a resource may be a style sheet, or a document in a frame.
    package static func isText(_ type: String) -> Bool {
        type == unknown || type.hasPrefix("text/") || type.hasPrefix("application/") || type == "image/svg+xml"
    }

    /// True if WebKit may read a resource as XML.
    package static func mayBeXML(_ type: String) -> Bool { type == unknown || type.hasSuffix("xml") }

    private static let unknown = "application/octet-stream"
    private static let types = [
        "apng": "image/apng", "avif": "image/avif", "bmp": "image/bmp", "css": "text/css", "gif": "image/gif",
        "htm": "text/html", "html": "text/html", "ico": "image/x-icon", "jpeg": "image/jpeg", "jpg": "image/jpeg",
        "js": "text/javascript", "json": "application/json", "otf": "font/otf", "png": "image/png",
        "svg": "image/svg+xml", "svgz": "image/svg+xml", "tif": "image/tiff", "tiff": "image/tiff", "ttf": "font/ttf",
        "txt": "text/plain",
        "webp": "image/webp", "woff": "font/woff", "woff2": "font/woff2", "xhtml": "application/xhtml+xml",
        "xml": "application/xml",
    ]
}
