import Foundation
import Offstage
import OffstageWorkers
import PageSamples
import Testing

@testable import OffstagePages

/// A colour without alpha, as 0xRRGGBB.
typealias RGB = UInt32

extension Pixmap {
    func color(_ x: Int, _ y: Int) -> RGB {
        withRow(y) { RGB($0[4 * x + 2]) << 16 | RGB($0[4 * x + 1]) << 8 | RGB($0[4 * x]) }
    }

    var bytes: [UInt8] { (0..<size.height).flatMap { withRow($0) { Array($0) } } }

    /// The proportion of pixels that are not white.
    var ink: Double {
        var count = 0
        for y in 0..<size.height {
            withRow(y) { row in
                for x in 0..<size.width where row[4 * x] & row[4 * x + 1] & row[4 * x + 2] != 255 { count += 1 }
            }
        }
        return Double(count) / Double(size.width * size.height)
    }
}

/// The size of a drawing, in device px.
func size(_ width: Int, _ height: Int) -> PixelSize { PixelSize(width: width, height: height) }

/// Runs `body` with an engine and shuts the engine down.
func withPages<R: Sendable>(
    workers: Int = 1, _ body: (PageEngine) async throws -> R
) async throws -> R {
    let engine = PageEngine(workers: workers)
    do {
        let result = try await body(engine)
        await engine.shutDown()
        return result
    } catch {
        await engine.shutDown()
        throw error
    }
}

extension PageEngine {
    func pixels(_ page: DocumentPage) async throws -> Pixmap { try await draw(page).pixmaps[0] }

    /// The error of a drawing; nil if the drawing succeeds.
    func failure(_ page: DocumentPage) async -> DrawingError? {
        do throws(DrawingError) {
            _ = try await draw(page)
            return nil
        } catch { return error }
    }
}

extension DrawingError {
    var problemCode: String? { if case .unusable(let problem) = self { problem.code } else { nil } }
}

extension TestPDF {
    var document: PageDocument { PageDocument(data) }
}

/// The document, encrypted by qpdf with 256 bits.
func encrypted(_ data: Data, password: String) throws -> Data {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try data.write(to: folder.appendingPathComponent("in.pdf"))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/qpdf")
    process.arguments = ["--encrypt", password, "owner", "256", "--", "in.pdf", "out.pdf"]
    process.currentDirectoryURL = folder
    try process.run()
    process.waitUntilExit()
    return try Data(contentsOf: folder.appendingPathComponent("out.pdf"))
}
