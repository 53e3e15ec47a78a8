import Foundation

/// A page's links, as a PDF's annotations.
struct PDFLinks {
    let document: PDFDocument
    let page: VectorImage.Page
    /// Of the page, points.
    let height: Double

    func add(to object: PDFDocument.Object) {
        let links = page.areas.compactMap { area in link(area, in: object) }
        if links.isEmpty { return }
        let array = document.object("[]")
        for link in links { document.append(document.indirect(link), to: array) }
        document[object, "Annots"] = array
    }

    private func link(_ area: PictureArea, in object: PDFDocument.Object) -> PDFDocument.Object? {
        guard let target = area.target else { return nil }
        let (left, top) = (points(page.left + area.x), height - points(page.top + area.y))
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
        guard let place = place(named: String(target.dropFirst())) else { return nil }
        let view = "/XYZ \(number(points(page.left + place.x))) \(number(height - points(page.top + place.y))) null"
        let destination = document.object("[]")
        document.append(object, to: destination)
        for item in document.items(of: document.object("[\(view)]")) { document.append(item, to: destination) }
        document[link, "Dest"] = destination
        return link
    }

    /// Of several elements of one name the first, as in a browser; nil where none has it.
    private func place(named name: String) -> PictureArea? {
        page.areas.first { $0.identifier == name }
            ?? name.removingPercentEncoding.flatMap { name in page.areas.first { $0.identifier == name } }
    }

    private func points(_ pixels: Double) -> Double { pixels * Paper.pointsPerCSSPixel }
    private func number(_ value: Double) -> String { String(format: "%.3f", value) }

    /// A PDF's address is in seven bits (PDF 32000-1, 12.6.4.7).
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
