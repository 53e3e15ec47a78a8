import Foundation
import Offstage
import Testing

/// Files appear whole or not at all.
struct AtomicFileTests {
    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    @Test func theFileHoldsItsBytesAndStandsAlone() throws {
        try AtomicFile.write(Data([1, 2, 3]), to: folder.file("a.png"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("a.png"))) == Data([1, 2, 3]))
        #expect(try folder.names() == ["a.png"])
    }

    @Test func aFileThatIsThereIsReplaced() throws {
        try AtomicFile.write(Data(repeating: 1, count: 100), to: folder.file("a.png"))
        try AtomicFile.write(Data([2]), to: folder.file("a.png"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("a.png"))) == Data([2]))
        #expect(try folder.names() == ["a.png"])
    }

    @Test func aReaderNeverSeesHalfAFile() async throws {
        let path = folder.file("a.png")
        let contents = [1, 2].map { Data(repeating: $0, count: 1_000_000 + Int($0)) }
        try AtomicFile.write(contents[0], to: path)
        let writer = Task.detached {
            for round in 0..<40 { try AtomicFile.write(contents[round % 2], to: path) }
        }
        for _ in 0..<200 {
            let seen = try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(seen == contents[0] || seen == contents[1], "\(seen.count) bytes")
        }
        try await writer.value
        #expect(try folder.names() == ["a.png"])
    }

    @Test func manyWritersAtOnceLeaveOneFileEach() async throws {
        let folder = folder
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask { try AtomicFile.write(Data("\(number)".utf8), to: folder.file("\(number % 25)")) }
            }
            try await group.waitForAll()
        }
        #expect(try folder.names() == (0..<25).map(String.init).sorted())
    }

    @Test func aMissingFolderIsAnErrorThatNamesTheFileAndTheReason() {
        let path = folder.file("missing/a.png")
        let error = #expect(throws: FileError.self) { try AtomicFile.write(Data([1]), to: path) }
        #expect(error?.description == "cannot write \(path): No such file or directory")
    }

    @Test func aFolderInTheWayStaysAndNoTemporaryFileIsLeft() throws {
        let path = folder.file("a.png")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let error = #expect(throws: FileError.self) { try AtomicFile.write(Data([1]), to: path) }
        #expect(error?.description == "cannot write \(path): Is a directory; choose another name")
        #expect(try folder.names() == ["a.png"])
    }

    @Test func aPictureIsWrittenAsItsEncodersBytes() async throws {
        let image = try await Renderer(engine: FakeEngine()).picture(for: FakeRequest(identifier: "a", width: 2))
        try image.write(to: folder.file("a.png"))
        let written = try Data(contentsOf: URL(fileURLWithPath: folder.file("a.png")))
        #expect(try written == image.encoded())
        #expect(try PNGFile(written).width == 2)
    }
}
