import Offstage

extension Readiness {
    /// The areas and texts that `content.js` found in the document.
    struct Content: Decodable {
        var areas: [Area]
        /// The text of the document, or of each element that the selector matches.
        var texts: [String]
    }

    /// A link or a named element, encoded as a list: its box in the document, its target, its name and its label.
    struct Area: Decodable {
        var area: PictureArea

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            let box = try (0..<4).map { _ in try list.decode(Double.self) }
            area = PictureArea(
                x: box[0], y: box[1], width: box[2], height: box[3], target: try list.decodeIfPresent(String.self),
                identifier: try list.decodeIfPresent(String.self), label: try list.decodeIfPresent(String.self))
        }
    }
}
