import Offstage
import OffstageInk

/// The option of all sources that draws ink over their pictures.
struct InkOverlay: Sendable {
    /// The path of the ink file.
    private let path: String
    private let limits: InkLimits

    static let table: [OptionTable.Option] = [
        .init("ink", value: "FILE", help: "Draw the ink of FILE over the picture, stretched to its width")
    ].grouped(.appearance)

    /// The options of all sources that crop or rotate a picture, which would misplace the ink.
    private static let cutting = ["clip", "crop", "rotate", "flip"]

    /// Nil if the option is not given.
    init?(_ options: ParsedOptions) throws(UsageError) {
        guard let path = options.string("ink") else { return nil }
        if path.isEmpty { throw UsageError("--ink needs the path of an ink file; the path is empty") }
        if let part = Self.cutting.first(where: { options.has($0) && options.string($0) != "0" }) {
            throw UsageError("--ink needs the whole page or image, neither cropped nor turned; leave out --\(part)")
        }
        if options.string("fit") == "cover" {
            throw UsageError("--ink needs the whole image, which --fit cover crops; use another --fit")
        }
        self.path = path
        var settings = try InkSettings(ParsedOptions())
        try InkOptions.limits.apply(options, to: &settings)
        limits = settings.drawing.limits
    }

    /// Reads the file.
    ///
    /// - Parameter page: a page of the ink, from 1. A page that the file lacks has no ink.
    func request(over below: any DrawingRequest, page: Int) throws(SourceFileError) -> OverlaidRequest {
        // Read without its folder: the ink's background, which may be a file there, is not drawn.
        let data = try SourceFileError.read(path, limit: limits.budget.documentBytes)
        var drawing = InkDrawing(InkDocument(data), page: page)
        drawing.limits = limits
        return OverlaidRequest(below, above: drawing)
    }
}
