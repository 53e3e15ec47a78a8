import Foundation
import Offstage
import PageSamples
import Testing

@testable import OffstagePages

/// Sizes and rotations of pages, as another program reports them.
struct PageBoxTests {
    private static let boxes =
        "/MediaBox [10 20 410 320] /CropBox [30 40 330 290] /BleedBox [35 45 325 285] /TrimBox [40 50 320 280] /ArtBox [60 70 300 250]"

    private static let pages: [(entries: String, unit: Double)] = [
        ("/MediaBox [0 0 200 100]", 1), (boxes, 1), ("\(boxes) /Rotate 90", 1), ("\(boxes) /Rotate 180", 1),
        ("\(boxes) /Rotate -90", 1), ("\(boxes) /Rotate 450", 1), ("\(boxes) /UserUnit 2.5", 2.5),
        ("\(boxes) /Rotate 270 /UserUnit 10", 10), ("\(boxes) /UserUnit 1.0", 1), ("\(boxes) /UserUnit 0", 1),
        ("\(boxes) /UserUnit -2", 1), ("\(boxes) /UserUnit 99999999", 1),
    ]

    /// If the crop box is outside the media box, viewers show the media box.
    @Test func aCropBoxOutsideOfTheMediaBoxDoesNotCount() async throws {
        let document = TestPDF(
            "1 0 0 rg 0 0 100 100 re f BT /F1 12 Tf 10 50 Td (here) Tj ET",
            entries: "/MediaBox [0 0 200 100] /CropBox [500 500 700 600]"
        ).document
        try await withPages { engine async throws in
            for _ in 0..<2 {
                let picture = try await engine.pixels(DocumentPage(document, fit: FitBox(width: 200, height: 100)))
                #expect(picture.size == size(200, 100))
                #expect(picture.color(50, 80) == 0xFF0000 && picture.color(150, 80) == 0xFFFFFF)
            }
            #expect(try await engine.info(of: document).pages == [.init(width: 200, height: 100)])
            #expect(try await engine.text(of: document, page: 1).text == "here")
        }
    }

    private struct Poppler {
        var rotations: [Int] = []
        /// The width and height in points, before rotation, keyed by the boxes' names.
        var sizes: [[String: (Double, Double)]] = []

        init(_ path: String, count: Int) throws {
            let (process, output) = (Process(), Pipe())
            process.executableURL = URL(fileURLWithPath: "/usr/bin/pdfinfo")
            process.arguments = ["-box", "-f", "1", "-l", "\(count)", path]
            process.standardOutput = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            sizes = Array(repeating: [:], count: count)
            rotations = Array(repeating: 0, count: count)
            for line in text.split(separator: "\n") where line.hasPrefix("Page ") {
                let words = line.split(separator: " ")
                guard words.count > 3, let page = Int(words[1]) else { continue }
                let numbers = words.compactMap { Double($0) }.dropFirst()
                if words[2] == "rot:" { rotations[page - 1] = Int(words[3]) ?? -1 }
                if words[2].hasSuffix("Box:"), numbers.count == 4 {
                    let corners = Array(numbers)
                    sizes[page - 1][words[2].dropLast(4).lowercased()] = (
                        corners[2] - corners[0], corners[3] - corners[1]
                    )
                }
            }
        }
    }

    private func isNear(_ a: Double?, _ b: Double) -> Bool { a.map { abs($0 - b) < 0.01 } ?? false }

    /// The same document with object streams.
    private func packed(_ path: String) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/qpdf")
        process.arguments = ["--object-streams=generate", path, path + ".packed"]
        try process.run()
        process.waitUntilExit()
        let data = try Data(contentsOf: URL(fileURLWithPath: path + ".packed"))
        #expect(data.range(of: Data("/UserUnit".utf8)) == nil && data.range(of: Data("/Rotate".utf8)) == nil)
        return data
    }

    @Test(arguments: [false, true]) func sizesAndRotationsAreThoseOfPoppler(isPacked: Bool) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("boxes.pdf").path
        let plain = TestPDF(pages: Self.pages.map { .init(entries: $0.entries, content: "q Q") }).data
        try plain.write(to: URL(fileURLWithPath: path))
        let poppler = try Poppler(path, count: Self.pages.count)
        #expect(poppler.rotations == [0, 0, 90, 180, 270, 90, 0, 270, 0, 0, 0, 0])
        let document = PageDocument(isPacked ? try packed(path) : plain)
        try await withPages { engine async throws in
            let info = try await engine.info(of: document, rotations: true)
            #expect(info.pages.map(\.rotation) == poppler.rotations)
            #expect(try await engine.info(of: document).pages.map(\.width) == info.pages.map(\.width))
            for (index, page) in info.pages.enumerated() {
                let isTurned = poppler.rotations[index] % 180 != 0
                for box in PageBox.allCases {
                    var (width, height) = try #require(poppler.sizes[index][box.rawValue])
                    if isTurned { swap(&width, &height) }
                    (width, height) = (width * Self.pages[index].unit, height * Self.pages[index].unit)
                    if box == .crop { #expect(isNear(page.width, width) && isNear(page.height, height), "\(index)") }
                    var request = DocumentPage(document, page: index + 1, fit: FitBox(width: 600, height: 600))
                    request.box = box
                    let facts = try await engine.draw(request).contents[0].facts
                    guard case .number(let drawnWidth) = facts["pageWidth"],
                        case .number(let drawnHeight) = facts["pageHeight"]
                    else {
                        Issue.record("no size")
                        continue
                    }
                    #expect(isNear(drawnWidth, width) && isNear(drawnHeight, height), "\(index) \(box)")
                    let rotation = poppler.rotations[index]
                    #expect(facts["rotation"] == (rotation == 0 ? nil : .number(Double(rotation))))
                }
            }
        }
    }

    /// Without a box to fit into, a page is drawn at its own size.
    @Test func theUnitCountsForThePagesOwnSize() async throws {
        let document = TestPDF(TestPDF.redLeft, entries: "/MediaBox [0 0 200 100] /UserUnit 3").document
        try await withPages { engine async throws in
            let whole = try await engine.pixels(DocumentPage(document))
            #expect(
                whole.size == size(800, 400) && whole.color(390, 200) == 0xFF0000 && whole.color(410, 200) == 0xFFFFFF)
            let fitted = try await engine.pixels(DocumentPage(document, fit: FitBox(width: 100, height: 100)))
            #expect(fitted.size == size(100, 50))
        }
    }
}
