internal import CQPDF
import Foundation
import Offstage

/// Places a page's content and its background on a page of another size.
///
/// The old page becomes a form with its own coordinates, which also apply to its patterns and masks.
struct PDFPlacing {
    let document: PDFDocument
    let image: VectorImage
    /// The resolution of the finished page: points per CSS px.
    let pointsPerPixel: Double

    /// - Parameters:
    ///   - page: a page of the image.
    ///   - object: the document's page, which is replaced by the finished one.
    func place(_ page: VectorImage.Page, in object: PDFDocument.Object) throws(EncodingError) {
        let points = pointsPerPixel
        let (width, height) = (page.width * points, page.height * points)
        let paper = document.numbers(of: document[object, "MediaBox"])
        guard paper.count == 4 else { throw EncodingError("qpdf: a page has no size") }

        let form = document.stream(try document.content(ofPage: object))
        document[form, "Type"] = document.object("/XObject")
        document[form, "Subtype"] = document.object("/Form")
        document[form, "BBox"] = document[object, "MediaBox"]
        document[form, "Resources"] = document[object, "Resources"]
        // Both y axes point up, so this moves the window's corner to its position.
        let zoom = points / page.pointsPerPixel
        let left = (page.left - page.window.x) * points
        let top = height - (page.top - page.window.y) * points - zoom * paper[3]
        document[form, "Matrix"] = document.object("[\(list([zoom, 0, 0, zoom, left, top]))]")
        // A transparency group, so that transparent content blends as on a page.
        document[form, "Group"] = document.object("<< /S /Transparency /CS /DeviceRGB >>")

        let window = [
            page.left * points, height - (page.top + page.window.height) * points, page.window.width * points,
            page.window.height * points,
        ]
        let content = background([0, 0, width, height], window) + "q \(list(window)) re W n /Drawing Do Q\n"
        document[object, "Contents"] = document.stream(Data(content.utf8))
        let resources = document.object("<< /XObject << >> /ExtGState << >> >>")
        document[document[resources, "XObject"], "Drawing"] = form
        for (name, color) in [("Background", image.background), ("Edge", image.edge ?? image.background)] {
            document[document[resources, "ExtGState"], name] = document.object("<< /ca \(number(color.alpha)) >>")
        }
        document[object, "Resources"] = resources
        document[object, "MediaBox"] = document.object("[\(list([0, 0, width, height]))]")
    }

    /// - Parameters:
    ///   - page, window: a corner and a size, in points.
    private func background(_ page: [Double], _ window: [Double]) -> String {
        func fill(_ boxes: [[Double]], _ color: Color, _ state: String) -> String {
            if color.alpha == 0 { return "" }
            let paths = boxes.map { "\(list($0)) re" }.joined(separator: " ")
            return "q /\(state) gs \(list([color.red, color.green, color.blue])) rg \(paths) f* Q\n"
        }
        guard let edge = image.edge else { return fill([page], image.background, "Background") }
        return fill([page, window], edge, "Edge") + fill([window], image.background, "Background")
    }

    private func list(_ numbers: [Double]) -> String { numbers.map(number).joined(separator: " ") }

    /// PDF does not allow exponents.
    private func number(_ value: Double) -> String {
        let text = String(format: "%.5f", value)
        let short = text.replacing(/\.?0+$/, with: "")
        return short == "-0" ? "0" : short
    }
}
