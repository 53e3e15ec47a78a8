import Foundation

/// A small PDF document, written as text.
package struct TestPDF {
    /// A page: its content, and the other entries of its dictionary.
    package struct Page {
        package var entries: String
        package var content: String

        package init(entries: String = "/MediaBox [0 0 200 100]", content: String = "") {
            self.entries = entries
            self.content = content
        }
    }

    package var pages = [Page()]
    /// Additional entries of the catalog.
    package var catalog = ""
    /// Additional objects; the first one has the number `firstExtra`.
    package var extra: [String] = []

    package init(
        _ content: String = "", entries: String = "/MediaBox [0 0 200 100]", catalog: String = "", extra: [String] = []
    ) {
        pages = [Page(entries: entries, content: content)]
        self.catalog = catalog
        self.extra = extra
    }

    package init(pages: [Page]) { self.pages = pages }

    /// The number of the first additional object in a document with this many pages.
    package static func firstExtra(pages: Int = 1) -> Int { 4 + 2 * pages }

    /// The object number of a page, which is counted from 1.
    package static func object(ofPage page: Int) -> Int { 2 + 2 * page }

    package static func stream(_ content: String, entries: String = "") -> String {
        "<< /Length \(content.utf8.count) \(entries) >>\nstream\n\(content)\nendstream"
    }

    /// Object 3 is the font F1, Helvetica.
    package var data: Data {
        let kids = pages.indices.map { "\(Self.object(ofPage: $0 + 1)) 0 R" }.joined(separator: " ")
        var objects = [
            "<< /Type /Catalog /Pages 2 0 R \(catalog) >>",
            "<< /Type /Pages /Kids [\(kids)] /Count \(pages.count) >>",
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        ]
        for (index, page) in pages.enumerated() {
            let number = Self.object(ofPage: index + 1)
            objects.append(
                "<< /Type /Page /Parent 2 0 R /Resources << /Font << /F1 3 0 R >> >> /Contents \(number + 1) 0 R \(page.entries) >>"
            )
            objects.append(Self.stream(page.content))
        }
        return Self.file(objects + extra)
    }

    /// A file that consists of these objects. The first object is the catalog.
    package static func file(_ objects: [String]) -> Data {
        var text = "%PDF-1.7\n"
        var places: [Int] = []
        for (index, object) in objects.enumerated() {
            places.append(text.utf8.count)
            text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let start = text.utf8.count
        text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for place in places { text += String(format: "%010d 00000 n \n", place) }
        text += "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n"
        return Data(text.utf8)
    }

    /// Paints the left half of a page of 200 × 100 points red.
    package static let redLeft = "1 0 0 rg 0 0 100 100 re f"
}
