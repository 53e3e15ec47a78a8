extension FileFormat {
    public static func png(_ encoder: PNGEncoder = PNGEncoder()) -> FileFormat {
        FileFormat(
            Kind(name: "png", fileExtensions: ["png"], mediaType: "image/png"),
            specification: "png:level=\(encoder.level)\(encoder.usesPalette ? ",palette" : "")", encoder: encoder)
    }

    public static func jpeg(_ encoder: JPEGEncoder = JPEGEncoder()) -> FileFormat {
        let (subsampling, color) = (encoder.subsampling.rawValue, encoder.background)
        let background = "\(color.red)/\(color.green)/\(color.blue)/\(color.alpha)"
        return FileFormat(
            Kind(name: "jpeg", fileExtensions: ["jpg", "jpeg"], mediaType: "image/jpeg"),
            specification: "jpeg:quality=\(encoder.quality),subsampling=\(subsampling),background=\(background)",
            encoder: encoder)
    }

    public static func webp(_ encoder: WebPEncoder = WebPEncoder()) -> FileFormat {
        let compression =
            switch encoder.compression {
            case .lossless: "lossless"
            case .quality(let quality): "quality=\(quality)"
            }
        return FileFormat(
            Kind(name: "webp", fileExtensions: ["webp"], mediaType: "image/webp"), specification: "webp:\(compression)",
            encoder: encoder)
    }

    /// Raw pixels have no registered media type.
    public static func raw(_ encoder: RawEncoder = RawEncoder()) -> FileFormat {
        FileFormat(
            Kind(name: "raw", fileExtensions: ["raw"], mediaType: "application/octet-stream"),
            specification: "raw:\(encoder.layout.rawValue.lowercased())", encoder: encoder)
    }

    /// The pixel formats, each with default options.
    public static let pixelFormats: [FileFormat] = [.png(), .jpeg(), .webp(), .raw()]
}

extension [FileFormat] {
    /// The format with a file extension, or nil.
    ///
    /// - Parameter fileExtension: without a dot, in lower or upper case.
    public func format(ofExtension fileExtension: String) -> FileFormat? {
        let fileExtension = fileExtension.lowercased()
        return first { $0.kind.fileExtensions.contains(fileExtension) }
    }
}
