import Offstage

extension FileFormat {
    public static func pdf(_ encoder: PDFEncoder = PDFEncoder()) -> FileFormat {
        let page = encoder.paper.map { ":page=\($0.width)x\($0.height),margin=\($0.margin)" } ?? ""
        return FileFormat(
            Kind(name: "pdf", fileExtensions: ["pdf"], mediaType: "application/pdf"), specification: "pdf\(page)",
            paper: encoder.paper, hasPages: true
        ) { picture throws(EncodingError) in try (picture as? VectorImage).map(encoder.encode) }
    }

    public static func svg(_ encoder: SVGEncoder = SVGEncoder()) -> FileFormat {
        FileFormat(
            Kind(name: "svg", fileExtensions: ["svg"], mediaType: "image/svg+xml"), specification: "svg"
        ) { picture throws(EncodingError) in try (picture as? VectorImage).map(encoder.encode) }
    }

    /// The formats of vector pictures, each with default options.
    public static let vectorFormats: [FileFormat] = [.pdf(), .svg()]
}
