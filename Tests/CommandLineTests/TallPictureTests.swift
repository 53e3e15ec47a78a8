import CSpng
import Foundation
import Testing

/// Pictures that no single snapshot of the engine can hold.
@Suite struct TallPictureTests {
    /// 100 bands of 1000 CSS px, each in its own colour.
    private static let bands = (0..<100).map { "<div style='height:1000px;background:rgb(\($0),\(255 - $0),9)'></div>" }
    private static let html =
        """
        <!doctype html><meta charset=utf-8><style>body { margin: 0 }
        header { position: sticky; top: 0; height: 10px; background: red; margin-bottom: -10px }
        footer { position: fixed; bottom: 0; width: 30px; height: 7px; background: blue }</style>
        <header></header><footer></footer>\(bands.joined())
        """

    @Test func hundredThousandPixels() throws {
        try withFolder { folder in
            try folder.write("tall.html", Self.html)
            try folder.make("tmp")
            let outcome = try Offstage.run(
                "render", "tall.html", "-o", "tall.png", "--scale", "2", "--json",
                environment: ["TMPDIR": folder.path("tmp")], in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            let result = try #require(try outcome.objects.first)
            #expect(result["width"] as? Int == 800)
            #expect(result["height"] as? Int == 200_000)
            #expect((result["warnings"] as? [Any])?.isEmpty == true)
            // The temporary file in which the picture was assembled has been removed.
            #expect(folder.files("tmp").filter { $0.contains("offstage") } == [])
            let reader = try RowReader(folder.data("tall.png"))
            #expect(reader.size == [800, 200_000])
            #expect(reader.pixelsPerMetre == 7559)
            var wrong: [Int] = []
            try reader.forEachRow { y, row in
                let band = UInt8(y / 2000)
                let middle: [UInt8] = y < 20 ? [255, 0, 0] : [band, 255 - band, 9]
                let left: [UInt8] = y >= 200_000 - 14 ? [0, 0, 255] : middle
                let isRight =
                    row[0..<3].elementsEqual(left) && row[1200..<1203].elementsEqual(middle)
                    && row[2397..<2400].elementsEqual(middle)
                if !isRight { wrong.append(y) }
            }
            #expect(wrong == [])
        }
    }

    /// A part of a document is drawn, whatever the size of the whole document is.
    @Test func partsOfATallDocument() throws {
        try withFolder { folder in
            try folder.write("tall.html", Self.html + String(repeating: Self.bands.joined(), count: 20))
            let outcome = try Offstage.run(
                "render", "tall.html", "--out", "out", "--selector", "div:nth-of-type(1980)", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            let picture = try folder.picture("out/tall.png")
            #expect(picture.size == [400, 1000])
            #expect(picture.count(of: [79, 176, 9, 255]) == 400_000)
        }
    }

    /// The space for the temporary file is reserved before anything is painted.
    @Test func noRoomForTheTemporaryFile() throws {
        try withFolder { folder in
            try folder.write("tall.html", Self.html)
            try folder.write("small.html", row())
            try folder.make("tmp")
            let outcome = try Child(
                ["sh", "-c", "ulimit -f 20000; exec \"$0\" render tall.html small.html --out out", Offstage.path],
                environment: ["TMPDIR": folder.path("tmp")], folder: folder.path
            ).wait()
            #expect(outcome.code == 1)
            #expect(
                outcome.errorLines.first
                    == "offstage: tall.html: cannot write a temporary file in \(folder.path("tmp")): File too large; "
                    + "raise `ulimit -f`; Offstage needs a temporary file for a picture of this size; set TMPDIR to use another folder"
            )
            #expect(folder.files("out") == ["small.png"])
        }
    }
}

/// Reads a PNG file of opaque pixels row by row, because as a whole it would take half a gigabyte.
private final class RowReader {
    private let context: OpaquePointer
    private let bytes: [UInt8]
    private var header = spng_ihdr()

    init(_ data: Data) throws {
        bytes = [UInt8](data)
        context = try #require(spng_ctx_new(0))
        try bytes.withUnsafeBufferPointer { buffer in
            // The array does not change during the reader's lifetime, so its memory stays in place.
            try check(spng_set_png_buffer(context, buffer.baseAddress, buffer.count))
        }
        try check(spng_get_ihdr(context, &header))
    }

    deinit { spng_ctx_free(context) }

    var size: [Int] { [Int(header.width), Int(header.height)] }

    var pixelsPerMetre: Int {
        var physical = spng_phys()
        return spng_get_phys(context, &physical) == 0 ? Int(physical.ppu_x) : 0
    }

    func forEachRow(_ body: (Int, [UInt8]) -> Void) throws {
        try check(
            spng_decode_image(context, nil, 0, Int32(SPNG_FMT_PNG.rawValue), Int32(SPNG_DECODE_PROGRESSIVE.rawValue)))
        var row = [UInt8](repeating: 0, count: 3 * size[0])
        for y in 0..<size[1] {
            let status = spng_decode_row(context, &row, row.count)
            if y < size[1] - 1 { try check(status) } else { try #require(status == SPNG_EOI.rawValue) }
            body(y, row)
        }
    }

    private func check(_ status: Int32) throws {
        if status != 0 { throw Picture.Damage(description: String(cString: spng_strerror(status))) }
    }
}
