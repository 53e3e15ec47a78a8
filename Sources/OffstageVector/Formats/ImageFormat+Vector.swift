import Offstage

extension ImageFormat {
    public static func pdf(_ encoder: PDFEncoder = PDFEncoder()) -> ImageFormat {
        let page = encoder.paper.map { ":page=\($0.width)x\($0.height),margin=\($0.margin)" } ?? ""
        return ImageFormat(
            Kind(name: "pdf", fileExtensions: ["pdf"], mediaType: "application/pdf"), specification: "pdf\(page)",
            paper: encoder.paper
        ) { picture throws(EncodingError) in try (picture as? VectorImage).map(encoder.encode) }
    }

    public static func svg(_ encoder: SVGEncoder = SVGEncoder()) -> ImageFormat {
        ImageFormat(
            Kind(name: "svg", fileExtensions: ["svg"], mediaType: "image/svg+xml"), specification: "svg"
        ) { picture throws(EncodingError) in try (picture as? VectorImage).map(encoder.encode) }
    }

    /// The formats of vector pictures, each with default options.
    public static let vectorFormats: [ImageFormat] = [.pdf(), .svg()]
}
