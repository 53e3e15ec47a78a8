import Foundation
import Synchronization

@testable import Offstage
@testable import OffstageVector

/// A PDF document with one page of 80 × 40 points, as an engine might write it. It has a red left half, a green right
/// half, the word `AB` in letters that are all boxes, and a date.
enum VectorSample {
    static let document = Data(
        """
        %PDF-1.4
        1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
        2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
        3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 80 40] /Resources << /Font << /F1 5 0 R >> >>
          /Contents 4 0 R >> endobj
        4 0 obj << /Length 101 >> stream
        1 0 0 rg 0 0 40 40 re f 0 1 0 rg 40 0 40 40 re f 0 0 1 rg BT /F1 8 Tf 4 20 Td <41> Tj (B) Tj ET      
        endstream endobj
        5 0 obj << /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 65 /LastChar 66
          /Widths [1 1] /Encoding << /Type /Encoding /Differences [65 /a /b] >> /CharProcs << /a 6 0 R /b 6 0 R >>
          /Resources << >> >> endobj
        6 0 obj << /Length 33 >> stream
        1 0 0 0 1 1 d1 0 0 0.8 0.8 re f  
        endstream endobj
        7 0 obj << /CreationDate (D:20261122000000Z) /ModDate (D:20261122000000Z) /Producer (Sample) >> endobj
        trailer << /Root 1 0 R /Info 7 0 R /Size 8 >>
        %%EOF

        """.utf8)

    /// Its page, 60 × 40 points from (10, 0), at one point per CSS px.
    static var image: VectorImage {
        let window = VectorImage.Window(x: 10, y: 0, width: 60, height: 40)
        return VectorImage(document: document, pages: [VectorImage.Page(pointsPerPixel: 1, window: window)])
    }

    /// A single colour: blue, green, red, alpha.
    static func pixmap(_ width: Int, _ height: Int, _ color: [UInt8]) -> Pixmap {
        Pixmap.filled(size: PixelSize(width: width, height: height), isOpaque: true) { bytes in
            for index in bytes.indices { bytes[index] = color[index % 4] }
        }
    }

    /// The requests that an engine has drawn, in order.
    final class Journal: Sendable {
        private let state = Mutex<[String]>([])

        var entries: [String] { state.withLock { $0 } }

        func note(_ entry: String) { state.withLock { $0.append(entry) } }
    }

    /// Draws the sample for every request.
    struct Engine: Offstage.Engine {
        var capacity: Int { 1 }
        let drawn = Journal()

        func draw(_ request: Request) async throws(DrawingError) -> Drawing {
            drawn.note("\(request.medium)@\(request.scale)")
            guard request.medium == .pixels else { return Drawing(pictures: [.vector(VectorSample.image)], scale: 1) }
            return Drawing(
                pixmaps: [VectorSample.pixmap(60, 40, [0, 0, 255, 255])], scale: request.scale)
        }

        func shutDown() async {}
    }

    struct Request: DrawingRequest {
        var identifier = "a"
        var scale = 1.0
        var medium = Medium.pixels
        var margins = Margins()

        func drawn(into medium: Medium) -> Request {
            var request = self
            request.medium = medium
            return request
        }
    }
}
