import Foundation
import Testing

/// Files whose headers contradict their pixels.
@Suite struct UntrueImageFileTests {
    private func convert(_ arguments: [String], in folder: Folder) throws {
        #expect(try Child(["/usr/bin/env", "convert"] + arguments, folder: folder.path).wait().code == 0)
    }

    /// A picture has the size of its pixels. With the size in its header, it would show pixels of an earlier picture.
    /// libheif 1.23, in Debian 13, does not decode such files.
    @Test(arguments: ["avif", "heic"], [(120, 1000), (1000, 80), (1000, 1000), (30, 20)])
    func aHeadThatNamesAnotherSize(kind: String, size: (Int, Int)) throws {
        try withFolder { folder in
            try convert(["-size", "120x80", "xc:red", "b.\(kind)"], in: folder)
            // Drawn first, by the same worker.
            try convert(["-size", "1200x1200", "xc:blue", "a.\(kind)"], in: folder)
            var file = try folder.data("b.\(kind)")
            var place = file.startIndex
            while let found = file[place...].firstRange(of: Data("ispe".utf8)) {
                // The version follows the name.
                place = found.upperBound + 4
                for side in [size.0, size.1] {
                    let bytes = withUnsafeBytes(of: UInt32(side).bigEndian) { Array($0) }
                    file.replaceSubrange(place..<place + 4, with: bytes)
                    place += 4
                }
            }
            try folder.write("b.\(kind)", file)
            let outcome = try Offstage.run(
                "render", "a.\(kind)", "b.\(kind)", "--out", "out", "--jobs", "1", "--no-cache", in: folder)
            #expect(try folder.picture("out/a.png")[600, 600][2] > 200, "\(outcome.error)")
            if outcome.code != 0 {
                #expect(outcome.error.contains("offstage: b.\(kind): the file is damaged"), "\(outcome.error)")
                #expect(!folder.files("out").contains("b.png"))
                return
            }
            let picture = try folder.picture("out/b.png")
            #expect(picture.size == [120, 80])
            for (x, y) in [(0, 0), (119, 0), (0, 79), (119, 79), (60, 40)] {
                let pixel = picture[x, y]
                #expect(pixel[0] > 200 && pixel[1] < 60 && pixel[2] < 60, "\(x), \(y): \(pixel)")
            }
        }
    }

    /// Some programs omit the marker after the pixels or lose it.
    @Test func aJPEG2000FileWithoutItsEndIsWholeIfItsTilesAre() throws {
        try withFolder { folder in
            let script = Document.root.appendingPathComponent("Scripts/write-images").path
            #expect(try Child([script, "in"], folder: folder.path).wait().code == 0)
            let file = try folder.data("in/jp2.jp2")
            try #require(file.suffix(2) == Data([0xFF, 0xD9]))
            try folder.write("whole.jp2", file.dropLast(2))
            try folder.write("cut.jp2", file.dropLast(3))
            // The tile's only part announces a second part.
            var part = file
            let start = try #require(part.firstRange(of: Data([0xFF, 0x90, 0, 10]))).lowerBound
            part[start + 11] = 2
            try folder.write("part.jp2", part)
            let outcome = try Offstage.run(
                "render", "whole.jp2", "cut.jp2", "part.jp2", "--out", "out", "--json", "--no-cache", in: folder)
            let objects = try outcome.objects
            #expect(
                objects.map { $0["status"] as? String } == ["drawn", "incomplete", "incomplete"], "\(objects)")
        }
    }

    /// The components of a JPEG 2000 file can have different numbers of resolution levels.
    @Test(arguments: [256, 128, 60, 37, 16, 5]) func componentsWithFewerResolutions(width: Int) throws {
        try withFolder { folder in
            try convert(["-size", "256x256", "xc:lime", "-quality", "80", "a.j2k"], in: folder)
            var file = [UInt8](try folder.data("a.j2k"))
            let place = try #require(Data(file).firstRange(of: Data([0xFF, 0x52]))).lowerBound
            let end = place + 2 + Int(file[place + 2]) << 8 + Int(file[place + 3])
            // The components are stored separately, the second one at half the resolution.
            file[place + 8] = 0
            file.insert(contentsOf: [0xFF, 0x53, 0, 9, 1, 0, 1] + file[place + 10..<place + 14], at: end)
            try folder.write("a.j2k", Data(file))
            let outcome = try Offstage.run(
                "render", "a.j2k", "-o", "a.png", "--width", "\(width)", "--no-cache", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(try folder.picture("a.png").size == [width, width])
        }
    }
}
