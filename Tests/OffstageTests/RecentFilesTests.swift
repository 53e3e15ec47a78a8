import Foundation
import Testing

@testable import Offstage

/// A picture that several requests share is encoded once.
@Suite(.timeLimit(.minutes(15))) struct RecentFilesTests {
    private let files = RecentFiles()
    private let png = FileVariant(.png())

    private func image(_ pixmap: Pixmap, _ identifier: String = "a") -> RenderedPicture {
        RenderedPicture(
            identifier: identifier, part: nil, picture: .pixels(pixmap), content: nil,
            drawing: Drawing(pixmaps: [pixmap], scale: 1, warnings: []), duration: .zero)
    }

    private func pixmap() -> Pixmap { .of(200, 100, isOpaque: true) { x, y in [UInt8(x), UInt8(y), 9, 255] } }

    /// The address of the bytes: equal for copies of one file, different for two files with equal bytes.
    private func place(_ file: EncodedPicture) -> Int { file.data.withUnsafeBytes { Int(bitPattern: $0.baseAddress) } }

    @Test func atOnceAndLater() async throws {
        let pixmap = pixmap()
        let places = try await withThrowingTaskGroup(of: Int.self) { group in
            for name in ["a", "b", "c"] {
                group.addTask { place(try await files.file(of: image(pixmap, name), as: png)) }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        let later = try await files.file(of: image(pixmap, "d"), as: png)
        #expect(places == [place(later)])
        #expect(try later.data == image(pixmap).encoded(as: png).data)
    }

    @Test func otherPicturesAndVariantsHaveTheirOwn() async throws {
        let pixmap = pixmap()
        let first = try await files.file(of: image(pixmap), as: png)
        let thumbnail = FileVariant(.png(), fittingInto: PixelSize(width: 20, height: 20))
        let small = try await files.file(of: image(pixmap), as: thumbnail)
        #expect(small.size == PixelSize(width: 20, height: 10))
        let equal = try await files.file(of: image(self.pixmap()), as: png)
        #expect(equal.data == first.data && place(equal) != place(first))
    }

    @Test func itRetainsNoPicture() async throws {
        weak var gone: Pixmap?
        do {
            let pixmap = pixmap()
            gone = pixmap
            _ = try await files.file(of: image(pixmap), as: png)
        }
        #expect(gone == nil)
    }
}
