import Foundation
import Testing

@testable import Offstage

/// Pictures in a temporary file behave like pictures in memory.
@Suite struct PixelSpoolTests {
    private let size = PixelSize(width: 700, height: 5000)

    private func part(_ rows: Range<Int>) -> Pixmap {
        Pixmap.filled(size: PixelSize(width: size.width, height: rows.count), isOpaque: false) { memory in
            for (index, y) in rows.enumerated() {
                for x in 0..<size.width {
                    let alpha = UInt8(y % 200 + 50)
                    let pixel = [UInt8(x % 40), UInt8(y % 50), 7, alpha]
                    memory[4 * (index * size.width + x)..<4 * (index * size.width + x) + 4].copyBytes(from: pixel)
                }
            }
        }
    }

    private func spooled() throws -> Pixmap {
        let spool = try PixelSpool(size: size, bands: [0..<size.height])
        for band in [0..<1234, 4000..<5000, 1234..<4000] { try spool.write(part(band), at: band.lowerBound) }
        return try spool.pixmap(isOpaque: false)
    }

    @Test func sameFiles() throws {
        let (spooled, whole) = (try spooled(), part(0..<5000))
        for format in [FileFormat.png(), .png(PNGEncoder(usesPalette: true)), .raw(), .raw(RawEncoder(layout: .rgba))] {
            #expect(try format.encode(spooled, scale: 2) == format.encode(whole, scale: 2))
        }
    }

    @Test func samePicturesFromIt() throws {
        let (spooled, whole) = (try spooled(), part(0..<5000))
        let box = PixelBox(left: 30, top: 1200, right: 650, bottom: 4100)
        let (ratio, none) = (PixelRatio(scale: 1.37, whole: 2), PixelBox(left: 0, top: 0, right: 0, bottom: 0))
        let coarse = PixelBox(left: 0, top: 0, right: 480, bottom: 3425)
        #expect(
            try RawEncoder().encode(spooled.reduced(to: coarse, by: ratio, from: none), scale: 1)
                == RawEncoder().encode(whole.reduced(to: coarse, by: ratio, from: none), scale: 1))
        let raw = RawEncoder()
        #expect(try raw.encode(spooled.cropped(to: box), scale: 1) == raw.encode(whole.cropped(to: box), scale: 1))
        let thumbnail = PixelSize(width: 70, height: 100)
        #expect(
            try raw.encode(spooled.fitted(into: thumbnail), scale: 1)
                == raw.encode(whole.fitted(into: thumbnail), scale: 1))
        let margins = Margins(isTrimmed: true, padding: 33, color: Color(red: 0.2, green: 1, blue: 0, alpha: 0.5))
        #expect(
            try FileFormat.raw(raw).encode(spooled.finished(with: margins, scale: 1.5).picture, scale: 1)
                == FileFormat.raw(raw).encode(whole.finished(with: margins, scale: 1.5).picture, scale: 1))
    }

    @Test func rowsNeverWrittenAreClear() throws {
        let spool = try PixelSpool(size: size, bands: [100..<200])
        try spool.write(part(100..<200), at: 100)
        let pixmap = try spool.pixmap(isOpaque: false)
        for y in [0, 99, 200, 4999] { #expect(pixmap.withRow(y) { $0.allSatisfy { $0 == 0 } }) }
        #expect(pixmap.withRow(199) { $0[3] } == 249)
    }

    /// Pixels that are dropped from memory are still in the file for another reader.
    @Test func itIsReadAgain() throws {
        let spooled = try spooled()
        let raw = RawEncoder()
        let first = try raw.encode(spooled, scale: 1)
        #expect(try raw.encode(spooled, scale: 1) == first)
    }

    @Test func noRoom() throws {
        let error = #expect(throws: FileError.self) {
            _ = try PixelSpool(size: PixelSize(width: 1 << 20, height: 1 << 30), bands: [0..<(1 << 30)])
        }
        #expect(error?.path == SpoolFile.folder)
        // The file system refuses: the disk is full, or the file would be too large.
        #expect([ENOSPC, EFBIG].contains(error?.code))
    }
}
