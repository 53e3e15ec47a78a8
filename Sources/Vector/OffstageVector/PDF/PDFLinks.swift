import Foundation
import Offstage

/// Writes the links of a document's pages as PDF annotations.
struct PDFLinks {
    let document: PDFDocument
    /// The pages, each with its page object.
    let pages: [(page: VectorImage.Page, object: PDFDocument.Object)]

    func add() {
        for (page, object) in pages {
            let links = page.areas.compactMap { link($0, on: page) }
            if links.isEmpty { continue }
            let array = document.object("[]")
            for link in links { document.append(document.indirect(link), to: array) }
            document[object, "Annots"] = array
        }
    }

    private func link(_ area: PictureArea, on page: VectorImage.Page) -> PDFDocument.Object? {
        guard let target = area.target else { return nil }
        let (left, top) = corner(of: area, on: page)
        let corners = [left, top - points(area.height), left + points(area.width), top]
        let link = document.object(
            "<< /Type /Annot /Subtype /Link /Border [0 0 0] /F 4 /Rect [\(corners.map(number).joined(separator: " "))] >>"
        )
        guard target.hasPrefix("#") else {
            let action = document.object("<< /Type /Action /S /URI >>")
            document[action, "URI"] = document.text(Self.ascii(target))
            document[link, "A"] = action
            return link
        }
        let name = String(target.dropFirst())
        guard let place = place(named: name) ?? name.removingPercentEncoding.flatMap(place) else { return nil }
        let (x, y) = corner(of: place.area, on: place.page)
        let destination = document.object("[]")
        document.append(place.object, to: destination)
        for item in document.items(of: document.object("[/XYZ \(number(x)) \(number(y)) null]")) {
            document.append(item, to: destination)
        }
        document[link, "Dest"] = destination
        return link
    }

    /// If several elements have the same name, takes the first, as browsers do. Nil if none has it.
    private func place(
        named name: String
    ) -> (area: PictureArea, page: VectorImage.Page, object: PDFDocument.Object)? {
        for (page, object) in pages {
            if let area = page.areas.first(where: { $0.identifier == name }) { return (area, page, object) }
        }
        return nil
    }

    /// The area's upper left corner, in points from the page's lower left corner.
    private func corner(of area: PictureArea, on page: VectorImage.Page) -> (x: Double, y: Double) {
        (points(page.left + area.x), points(page.height - page.top - area.y))
    }

    private func points(_ pixels: Double) -> Double { pixels * Paper.pointsPerCSSPixel }
    private func number(_ value: Double) -> String { String(format: "%.3f", value) }

    /// Converts a target to ASCII, as PDF requires (PDF 32000-1, 12.6.4.7).
    private static func ascii(_ target: String) -> String {
        target.utf8.reduce(into: "") { text, byte in
            if byte > 0x20 && byte < 0x7F {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += String(format: "%%%02X", Int(byte))
            }
        }
    }
}
