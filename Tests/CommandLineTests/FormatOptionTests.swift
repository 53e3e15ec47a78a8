import Foundation
import Testing

/// `--format` and the extension of `-o` decide which file is written. Another program, ImageMagick, reads it back.
@Suite struct FormatOptionTests {
    /// Half-transparent red at the top, nothing below.
    private static let html =
        "<!doctype html><body style='margin:0;height:40px'><div style='height:20px;background:rgba(255,0,0,.5)'></div>"

    @Test(arguments: [
        ("png", "PNG"), ("png:level=9", "PNG"), ("png:palette", "PNG"), ("png:level=0,palette", "PNG"),
        ("jpeg", "JPEG"), ("jpeg:quality=40", "JPEG"), ("jpeg:subsampling=4:2:0,quality=100", "JPEG"),
        ("webp", "WEBP"), ("webp:quality=75", "WEBP"), ("webp:lossless", "WEBP"),
    ])
    func specs(spec: String, format: String) throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            let outcome = try Offstage.run("render", "a.html", "--out", "out", "--format", spec, in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            let name = "out/a." + ["PNG": "png", "JPEG": "jpg", "WEBP": "webp"][format]!
            #expect(folder.files("out") == [(name as NSString).lastPathComponent])
            #expect(try inspect(name, in: folder, "%m %w %h") == "\(format) 400 40")
            let red = try color(name, x: 200, y: 20, in: folder)
            #expect(zip(red, [255, 0, 0, 255]).allSatisfy { abs(Int($0) - $1) <= 4 }, "\(red)")
        }
    }

    @Test(arguments: [
        ("x.png", "PNG"), ("x.PNG", "PNG"), ("x.jpg", "JPEG"), ("x.jpeg", "JPEG"), ("a.b.webp", "WEBP"), ("x", "PNG"),
        ("x.d/y", "PNG"),
    ])
    func theExtensionChooses(name: String, format: String) throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            #expect(try Offstage.run("render", "a.html", "-o", name, in: folder).code == 0)
            #expect(try inspect(name, in: folder, "%m") == format)
        }
    }

    @Test func formatHoldsAgainstTheExtension() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            for name in ["x.png", "x.gif"] {
                let outcome = try Offstage.run("render", "a.html", "-o", name, "--format", "jpeg", in: folder)
                #expect(outcome.code == 0)
                #expect(try inspect("jpeg:" + name, in: folder, "%m") == "JPEG")
            }
        }
    }

    @Test func standardOutput() throws {
        try withFolder { folder in
            for (spec, start) in [
                ("png", [0x89, 0x50]), ("jpeg", [0xFF, 0xD8]), ("webp", [0x52, 0x49]), ("raw", [0x4F, 0x46]),
            ] as [(String, [UInt8])] {
                let outcome = try Offstage.run(
                    "render", "-", "-o", "-", "--format", spec, stdin: Data(row().utf8), in: folder)
                #expect(outcome.code == 0)
                #expect([UInt8](outcome.output.prefix(2)) == start)
            }
        }
    }

    @Test func alphaAndWhatJPEGPutsBehindIt() throws {
        try withFolder { folder in
            try folder.write("a.html", Self.html)
            let specs = ["webp", "jpeg:quality=100", "jpeg:quality=100,background=rgb(0,0,255)"]
            for (index, spec) in specs.enumerated() {
                let outcome = try Offstage.run(
                    "render", "a.html", "-o", "\(index)", "--format", spec, "--background", "transparent", in: folder)
                #expect(outcome.code == 0, "\(outcome.error)")
            }
            #expect(try color("0", x: 5, y: 30, in: folder) == [0, 0, 0, 0])
            #expect(try [127, 128].contains(color("0", x: 5, y: 5, in: folder)[3]))
            func expect(_ name: String, y: Int, _ expected: [Int]) throws {
                let found = try color(name, x: 5, y: y, in: folder)
                #expect(zip(found, expected).allSatisfy { abs(Int($0) - $1) <= 3 }, "\(found), not \(expected)")
            }
            try expect("1", y: 5, [255, 127, 127, 255])
            try expect("1", y: 30, [255, 255, 255, 255])
            try expect("2", y: 5, [127, 0, 127, 255])
            try expect("2", y: 30, [0, 0, 255, 255])
        }
    }

    /// The header as described in docs/command-line.md.
    @Test func rawPixels() throws {
        try withFolder { folder in
            try folder.write("a.html", row("red", height: 10))
            for (spec, layout, pixel) in [("raw", "BGRA", [0, 0, 255, 255]), ("raw:rgba", "RGBA", [255, 0, 0, 255])] {
                let outcome = try Offstage.run(
                    "render", "a.html", "-o", "a.raw", "--format", spec, "--scale", "2", "--width", "30", in: folder)
                #expect(outcome.code == 0)
                let bytes = [UInt8](try folder.data("a.raw"))
                func number(_ offset: Int) -> UInt32 {
                    (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << (8 * $1) }
                }
                #expect(bytes.count == 32 + 60 * 20 * 4)
                #expect(String(decoding: bytes[..<8], as: UTF8.self) == "OFFSTAGE")
                #expect([8, 12, 16, 20].map(number) == [1, 60, 20, 240])
                #expect(String(decoding: bytes[24..<28], as: UTF8.self) == layout)
                #expect(Float(bitPattern: number(28)) == 2)
                #expect(bytes[32..<36].map(Int.init) == pixel)
            }
        }
    }

    /// The engine could draw the picture, but the file format cannot store it. The error is reported before painting.
    @Test func tooLargeForTheFormat() throws {
        try withFolder { folder in
            try folder.write("tall.html", row(height: 16_384))
            try folder.write("fits.html", row(height: 16_383))
            let message =
                "offstage: tall.html: 400 × 16384 device px is too large for WebP; a side may have at most 16383 px; "
                + "use another format, a smaller scale or a fixed height"
            let outcome = try Offstage.run(
                "render", "tall.html", "fits.html", "--out", "out", "--format", "webp:quality=1", in: folder)
            #expect(outcome.code == 1)
            #expect(outcome.errorLines.first == message)
            #expect(folder.files("out") == ["fits.webp"])
            let also = try Offstage.run("render", "tall.html", "-o", "a.png", "--also", "webp", "-q", in: folder)
            #expect(also.code == 1)
            #expect(also.errorLines == [message])
            // The picture's thumbnail fits into the format, and so does a part of the picture.
            for options in [["--also", "thumb:9x900:webp"], ["--also", "webp", "--height", "50"]] {
                let outcome = try Child(
                    [Offstage.path, "render", "tall.html", "-o", "a.png"] + options, folder: folder.path
                ).wait()
                #expect(outcome.code == 0, "\(outcome.error)")
            }
        }
    }

    @Test func theSheetToo() throws {
        try withFolder { folder in
            try folder.write("in/a.png", MachineTests.png)
            for (name, format) in [("s.jpg", "JPEG"), ("s.webp", "WEBP"), ("s.png", "PNG")] {
                #expect(try Offstage.run("sheet", "in", "-o", name, in: folder).code == 0)
                #expect(try inspect(name, in: folder, "%m %w") == "\(format) 340")
            }
        }
    }
}

/// The output of ImageMagick's `identify` for a file.
func inspect(_ name: String, in folder: Folder, _ format: String) throws -> String {
    let outcome = try Child(["identify", "-format", format, name], folder: folder.path).wait()
    #expect(outcome.code == 0, "\(outcome.error)")
    return outcome.text
}

/// A pixel as ImageMagick decodes it: straight red, green, blue and alpha.
func color(_ name: String, x: Int, y: Int, in folder: Folder) throws -> [UInt8] {
    let outcome = try Child(
        ["convert", name, "-crop", "1x1+\(x)+\(y)", "-depth", "8", "rgba:-"], folder: folder.path
    ).wait()
    #expect(outcome.output.count == 4, "\(outcome.error)")
    return [UInt8](outcome.output)
}
