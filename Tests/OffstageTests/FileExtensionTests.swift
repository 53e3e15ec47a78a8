import Foundation
import Offstage
import Testing

/// `RenderedPicture.write(to:)` follows the file's extension.
@Suite struct FileExtensionTests {
    private func image() async throws -> RenderedPicture {
        let renderer = Renderer(engine: ContentEngine())
        defer { Task { await renderer.finish() } }
        return try await renderer.picture(for: ContentRequest(identifier: "a"))
    }

    @Test(
        arguments: [
            ("a.png", [0x89, 0x50, 0x4E, 0x47]), ("a", [0x89, 0x50, 0x4E, 0x47]), ("a.PNG", [0x89, 0x50, 0x4E, 0x47]),
            ("a.jpg", [0xFF, 0xD8, 0xFF]), ("a.b.jpeg", [0xFF, 0xD8, 0xFF]), ("a.webp", Array("RIFF".utf8)),
            ("a.raw", Array("OFFSTAGE".utf8)),
        ] as [(String, [UInt8])])
    func theBytesAreTheExtensions(name: String, start: [UInt8]) async throws {
        let folder = try TemporaryFolder()
        let image = try await image()
        try image.write(to: folder.file(name))
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file(name))).starts(with: start))
        // An encoder is used whatever the file's extension is.
        try image.write(to: folder.file("x.jpg"), as: PNGEncoder())
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("x.jpg"))).starts(with: [0x89, 0x50]))
    }

    @Test(arguments: ["a.gif", "a.pdf", "a.svg", "a.png~"])
    func otherExtensionsAreErrors(name: String) async throws {
        let folder = try TemporaryFolder()
        let image = try await image()
        #expect(throws: EncodingError.self) { try image.write(to: folder.file(name)) }
        #expect(try folder.names() == [])
    }
}
