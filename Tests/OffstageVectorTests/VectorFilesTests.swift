import Foundation
import Testing

@testable import Offstage
@testable import OffstageVector

/// Files of pictures that are not made of pixels.
@Suite struct VectorFilesTests {
    private let renderer = Renderer(engine: VectorSample.Engine())

    private func files(
        _ formats: [FileFormat], _ request: VectorSample.Request = VectorSample.Request()
    ) async throws -> [RenderedFiles.File] {
        try await renderer.files(for: request, as: formats.map { FileVariant($0) })[0].files
    }

    @Test func oneDrawingForEachMedium() async throws {
        let files = try await files([.png(), .pdf(), .svg(), .webp()])
        #expect(renderer.engine(VectorSample.Engine.self)!.drawn.entries == ["pixels@1.0", "vector(nil)@1.0"])
        let starts = files.map { String(decoding: $0.dataAtOnce?.dropFirst().prefix(3) ?? Data(), as: UTF8.self) }
        #expect(starts == ["PNG", "PDF", "?xm", "IFF"])
        #expect(files.allSatisfy { $0.size == PixelSize(width: 60, height: 40) })
    }

    @Test func pagesOfAPaperAreAnotherDrawingThanOnePage() async throws {
        let paper = Paper(width: 200, height: 100, margin: 10)
        _ = try await files([.pdf(), .pdf(PDFEncoder(paper: paper)), .svg()])
        let drawn = renderer.engine(VectorSample.Engine.self)!.drawn.entries
        #expect(drawn.count == 2 && drawn[0] == "vector(nil)@1.0" && drawn[1].contains("width: 200.0"), "\(drawn)")
    }

    @Test func aPictureInMemoryIsMadeOfPixels() async {
        await #expect(throws: RenderError.self) {
            try await renderer.picture(for: VectorSample.Request(medium: .vector()))
        }
        #expect(renderer.engine(VectorSample.Engine.self)!.drawn.entries.isEmpty)
    }

    @Test func pixelsAreNoPDF() {
        let pixmap = VectorSample.pixmap(1, 1, [0, 0, 0, 255])
        #expect(throws: EncodingError.self) { try FileFormat.pdf().encode(pixmap, scale: 1) }
        #expect(throws: EncodingError.self) { try FileFormat.png().encode(.vector(VectorSample.image), scale: 1) }
    }

    @Test func theSameDrawingGivesTheSameBytesWithoutADate() async throws {
        for format in [FileFormat.pdf(), .svg()] {
            let first = try format.encode(.vector(VectorSample.image), scale: 1)
            #expect(try format.encode(.vector(VectorSample.image), scale: 1) == first)
            #expect(!String(decoding: first, as: UTF8.self).contains("2026"))
            if first.starts(with: Array("%PDF".utf8)) {
                let text = try unpacked(first)
                #expect(text.contains("/Producer"))
                for name in ["Date", "xmp:", "2026"] { #expect(!text.contains(name), "\(name)") }
            }
        }
    }

    /// A PDF file with uncompressed streams.
    private func unpacked(_ file: Data) throws -> String {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try file.write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        let output = Pipe()
        let qpdf = Process()
        qpdf.executableURL = URL(fileURLWithPath: "/usr/bin/qpdf")
        qpdf.arguments = ["--qdf", "--object-streams=disable", "--no-original-object-ids", path.path, "-"]
        qpdf.standardOutput = output
        try qpdf.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        qpdf.waitUntilExit()
        #expect(qpdf.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self)
    }

    @Test func paddingAndTrimmingAreThoseOfPixels() async throws {
        var request = VectorSample.Request()
        request.margins = Margins(padding: 5)
        #expect(try await files([.pdf()], request)[0].size == PixelSize(width: 70, height: 50))
        // In a window that ends before the green half, everything is one colour except the letters' boxes on the
        // left.
        var image = VectorSample.image
        image.pages[0].window.width = 30
        image.pages[0].width = 30
        let trimmed = try image.finished(with: Margins(isTrimmed: true)).picture.size
        #expect(trimmed.width < 12 && trimmed.height < 8, "\(trimmed)")
    }
}
