extension ImageFormat {
    public static func png(_ encoder: PNGEncoder = PNGEncoder()) -> ImageFormat {
        ImageFormat(
            Kind(name: "png", fileExtensions: ["png"], mediaType: "image/png"),
            specification: "png:level=\(encoder.level)\(encoder.usesPalette ? ",palette" : "")", encoder: encoder)
    }

    public static func jpeg(_ encoder: JPEGEncoder = JPEGEncoder()) -> ImageFormat {
        let (subsampling, color) = (encoder.subsampling.rawValue, encoder.background)
        let background = "\(color.red)/\(color.green)/\(color.blue)/\(color.alpha)"
        return ImageFormat(
            Kind(name: "jpeg", fileExtensions: ["jpg", "jpeg"], mediaType: "image/jpeg"),
            specification: "jpeg:quality=\(encoder.quality),subsampling=\(subsampling),background=\(background)",
            encoder: encoder)
    }

    public static func webp(_ encoder: WebPEncoder = WebPEncoder()) -> ImageFormat {
        let compression =
            switch encoder.compression {
            case .lossless: "lossless"
            case .quality(let quality): "quality=\(quality)"
            }
        return ImageFormat(
            Kind(name: "webp", fileExtensions: ["webp"], mediaType: "image/webp"), specification: "webp:\(compression)",
            encoder: encoder)
    }

    /// Raw pixels have no registered media type.
    public static func raw(_ encoder: RawEncoder = RawEncoder()) -> ImageFormat {
        ImageFormat(
            Kind(name: "raw", fileExtensions: ["raw"], mediaType: "application/octet-stream"),
            specification: "raw:\(encoder.layout.rawValue.lowercased())", encoder: encoder)
    }

    /// The formats of pixels, each with default options.
    public static let pixelFormats: [ImageFormat] = [.png(), .jpeg(), .webp(), .raw()]
}

extension [ImageFormat] {
    /// The format that a file's extension names; nil if none has it.
    ///
    /// - Parameter fileExtension: without a dot, in lower or upper case.
    public func format(ofExtension fileExtension: String) -> ImageFormat? {
        let fileExtension = fileExtension.lowercased()
        return first { $0.kind.fileExtensions.contains(fileExtension) }
    }
}
