import Foundation
import Offstage
import OffstageRequests

/// Small documents of all sources but HTML, made here, for `ClassProbe`. Workers draw them.
enum ProbeDocuments {
    /// In the order of their names.
    ///
    /// - Throws: `UsageError` and `SourceFileError`, which would mean a mistake in this file.
    static func requests() throws -> [(name: String, request: any DrawingRequest)] {
        var documents: [(name: String, source: RegisteredSource, data: Data, options: [String: [String]])] = [
            ("ink", .ink, Data(ink.utf8), [:]), ("pdf", .pages, pdf, [:]),
            ("sound", .sounds, sound, ["width": ["200"], "height": ["40"]]),
        ]
        for (name, text) in ProbeImages.all {
            let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data()
            // Images are also scaled.
            documents.append(("image-\(name)", .images, data, ["width": ["17"]]))
        }
        return try documents.map { name, source, data, options in
            let settings = try Settings(ParsedOptions(values: options), of: source)
            let document = SourceDocument(.bytes(data), of: source, name: name)
            return (name, try settings.request(for: document, identifier: "probe/\(name)"))
        }
    }

    /// Strokes of several widths, one of them with pressure, over ruled paper.
    private static let ink = """
        <?xml version="1.0"?><xournal creator="Offstage" fileversion="4"><page width="90" height="60">\
        <background type="solid" color="#ffffffff" style="ruled"/><layer>\
        <stroke tool="pen" color="#1144aaff" width="2.3">5 5 20 41 33.5 12 61 47.7 83 9</stroke>\
        <stroke tool="highlighter" color="#ffcc007f" width="9.5">8 50 80 38</stroke>\
        <stroke tool="pen" color="#008844ff" width="1.4 2.2 4.1">10 30 40 33 77 21</stroke>\
        </layer></page></xournal>
        """

    /// A page with letters, curves and a gradient.
    private static let pdf: Data = {
        let content = """
            q 0.7 0.1 0.4 rg 10 10 m 20 70 60 -20 110 55 c 90 5 l f Q \
            q 2.5 w 0 0.4 0.6 RG 5 60 m 40 5 80 75 115 15 c S Q \
            q 0 0 120 14 re W n /S sh Q BT /F 17 Tf 12 40 Td (Offstage fi 1) Tj ET
            """
        let function = "<< /FunctionType 2 /Domain [0 1] /C0 [1 0.9 0] /C1 [0 0.2 0.8] /N 1.3 >>"
        let objects = [
            "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            """
            << /Type /Page /Parent 2 0 R /MediaBox [0 0 120 80] /Contents 4 0 R /Resources << \
            /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> \
            /Shading << /S << /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 120 0] /Function \(function) >> >> >> >>
            """,
            "<< /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream",
        ]
        var text = "%PDF-1.4\n"
        var table = "0000000000 65535 f \n"
        for (index, object) in objects.enumerated() {
            table += String(format: "%010d 00000 n \n", text.utf8.count)
            text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let start = text.utf8.count
        text += "xref\n0 \(objects.count + 1)\n\(table)trailer\n<< /Size \(objects.count + 1) /Root 1 0 R >>\n"
        return Data((text + "startxref\n\(start)\n%%EOF\n").utf8)
    }()

    /// A quarter of a second of noise that grows: 2,000 samples of 16 bits as a WAVE file.
    private static let sound: Data = {
        func bytes(_ number: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(number >> (8 * $0) & 0xFF) } }
        let count = 2000
        var data = Data("RIFF".utf8) + bytes(36 + 2 * count, 4) + Data("WAVEfmt ".utf8)
        for (number, size) in [(16, 4), (1, 2), (1, 2), (8000, 4), (16_000, 4), (2, 2), (16, 2)] {
            data += bytes(number, size)
        }
        data += Data("data".utf8) + bytes(2 * count, 4)
        var state: UInt32 = 1
        for index in 0..<count {
            state = state &* 1_103_515_245 &+ 12_345
            data += bytes((Int(state >> 16 & 0xFFFF) - 32_768) * index / count, 2)
        }
        return data
    }()
}
