import Foundation
import Testing

/// Image files from all inputs: files, rows, the pipe and HTTP.
@Suite struct ImageFileTests {
    /// A picture of 120 × 80 px with red, lime, blue and white quarters, in all formats that other programs write.
    private static func write(into folder: Folder) throws {
        for (name, data) in try files.get() { try folder.write("in/\(name)", data) }
    }

    /// Files by name. They are written once, because some encoders are slow.
    private static let files = Result<[String: Data], any Error> {
        try withFolder { folder in
            let script = Document.root.appendingPathComponent("Scripts/write-images").path
            let outcome = try Child([script, "in"], folder: folder.path).wait()
            #expect(outcome.code == 0, "\(outcome.error)")
            let names = folder.files("in")
            return try Dictionary(uniqueKeysWithValues: names.map { ($0, try folder.data("in/\($0)")) })
        }
    }

    @Test func everyKindIsDrawn() throws {
        try withFolder { folder in
            try Self.write(into: folder)
            let outcome = try Offstage.run(
                "render", "in", "--out", "out", "--width", "60", "--cache", "c", "--strict", "--json", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            let objects = try outcome.objects
            #expect(objects.count == 20)
            for object in objects {
                let name = try #require(object["path"] as? String)
                let picture = try folder.picture(name)
                #expect(picture.size == [60, 40], "\(name)")
                let corners = [(5, 5), (54, 5), (5, 34), (54, 34)].map { picture[$0.0, $0.1] }
                let wanted: [[UInt8]] = [
                    [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255],
                ]
                for (corner, color) in zip(corners, wanted) {
                    let isClose = zip(corner, color).allSatisfy { abs(Int($0) - Int($1)) <= 8 }
                    #expect(isClose, "\(name) has \(corner), not \(color)")
                }
                let facts = try #require(object["facts"] as? [String: Any])
                #expect(facts["width"] as? Int == 120, "\(name)")
                #expect(facts["thumbhash"] is String)
            }
            // `IMG_1.png` and `IMG_1.tiff` are two pictures.
            #expect(folder.files("out").contains("wide.png.png") && folder.files("out").contains("wide.tiff.png"))

            let again = try Offstage.run(
                "render", "in", "--out", "out", "--width", "60", "--cache", "c", "--json", in: folder)
            #expect(try again.objects.allSatisfy { $0["kept"] as? Bool == true && $0["facts"] != nil })
        }
    }

    /// Display P3 by its code number, as phones and AVIF encoders write it.
    @Test func colorsWithoutAProfileAreRead() throws {
        try withFolder { folder in
            let write = """
                convert -size 64x64 'xc:rgb(120,160,90)' PNG24:p.png
                heif-enc -A -q 99 p.png -o p.avif
                """
            #expect(try Child(["/bin/sh", "-ec", write], folder: folder.path).wait().code == 0)
            // The encoder leaves both numbers undefined, whatever its options are.
            var file = try folder.data("p.avif")
            let numbers = try #require(file.firstRange(of: Data("nclx".utf8))).upperBound
            file.replaceSubrange(numbers..<numbers + 4, with: [0, 12, 0, 13])
            try folder.write("p.avif", file)
            let outcome = try Offstage.run("render", "p.avif", "--out", "out", "--no-cache", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            let pixel = try folder.picture("out/p.png")[32, 32]
            #expect(zip(pixel, [108, 161, 80]).allSatisfy { abs(Int($0) - $1) <= 4 }, "\(pixel)")
        }
    }

    /// The decoder has threads, whose memory libc manages differently.
    @Test func manyLargeFilesPassThroughOneWorker() throws {
        try withFolder { folder in
            let photo = Document.root.path + "/Snippets/assets/img/alpine@2x.jpg"
            let convert = ["/usr/bin/env", "convert", photo, "-resize", "2001x1500!", "-quality", "60", "a.avif"]
            #expect(try Child(convert, folder: folder.path).wait().code == 0)
            let file = try folder.data("a.avif")
            // Each copy has an empty box with a different number, because identical files would be decoded only once.
            for number in 10..<50 {
                try folder.write("in/\(number).avif", file + Data([0, 0, 0, 10]) + Data("free\(number)".utf8))
            }
            let outcome = try Offstage.run(
                "render", "in", "--out", "out", "--width", "40", "--jobs", "1", "--no-cache", "--quiet", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
        }
    }

    /// However the library unpacks the rows: unchanged or converted.
    @Test func theCompressionOfATIFFFileDoesNotChangeThePicture() throws {
        try withFolder { folder in
            let write = """
                mkdir in
                convert -size 90x70 -seed 1 plasma: PNG24:in/png.png
                for kind in None LZW Zip RLE; do convert in/png.png -compress $kind in/$kind.tif; done
                for kind in None Zip; do convert in/png.png -compress $kind -define tiff:tile-geometry=32x32 in/tiles-$kind.tif; done
                convert in/png.png PNG48:in/wide.png
                """
            #expect(try Child(["/bin/sh", "-ec", write], folder: folder.path).wait().code == 0)
            let outcome = try Offstage.run("render", "in", "--out", "out", "--width", "40", "--no-cache", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            let pictures = try folder.files("out").map { try folder.data("out/" + $0) }
            #expect(pictures.count == 8)
            #expect(Set(pictures).count == 1)
        }
    }

    @Test func aFolderOfEverything() throws {
        try withFolder { folder in
            try folder.write("in/a.html", "<!doctype html><img src='img/used%20one.png'><style>@import 's.css'</style>")
            try folder.write("in/s.css", "p { background: url(img/used.png) }")
            let svg =
                "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 30 20'><rect width='30' height='20' fill='red'/></svg>"
            try folder.write("in/drawing.svg", svg)
            try folder.write("in/img/used by a;b.svg", svg)
            try folder.write("in/b.html", "<!doctype html><img src='img/used by a;b.svg'>")
            for name in ["img/used one", "img/used", "photos/free"] {
                try folder.write("in/\(name).png", MachineTests.png)
            }
            let outcome = try Offstage.run("render", "in", "--out", "out", in: folder)
            #expect(outcome.code == 0 || outcome.code == 1, "\(outcome.error)")
            // Files that documents refer to are parts of them, and so are neighbouring files that style sheets use.
            #expect(folder.files("out") == ["a.png", "b.png", "drawing.png", "photos/free.png"])
            #expect(try folder.picture("out/drawing.png").size == [30, 20])
        }
    }

    @Test func optionsOfImages() throws {
        try withFolder { folder in
            try Self.write(into: folder)
            func size(_ options: String...) throws -> [Int] {
                let outcome = try Offstage.run(
                    "render", arguments: ["in/png.png", "-o", "a.png"] + options, in: folder)
                #expect(outcome.code == 0, "\(outcome.error)")
                return try folder.picture("a.png").size
            }
            #expect(try size() == [120, 80])
            #expect(try size("--width", "30", "--height", "30", "--fit", "cover", "--gravity", "east") == [30, 30])
            #expect(try folder.picture("a.png")[25, 2] == [0, 255, 0, 255])
            #expect(try size("--crop", "60,40,60,40") == [60, 40])
            #expect(try folder.picture("a.png")[0, 0] == [255, 255, 255, 255])
            #expect(
                try size("--width", "30", "--height", "30", "--fit", "contain", "--background", "black") == [30, 30])
            #expect(try folder.picture("a.png")[15, 0] == [0, 0, 0, 255])
            #expect(try size("--width", "30", "--scale", "2", "--padding", "1") == [64, 44])
            #expect(try size("--rotate", "90", "--flip", "horizontal", "--crop", "40,60,40,60") == [40, 60])
            #expect(try folder.picture("a.png")[0, 0] == [255, 255, 255, 255])
            let scans = try Offstage.run(
                "render", "in/progressive.jpg", "in/jpeg.jpg", "--out", "few", "--max-jpeg-scans", "3", in: folder)
            #expect(scans.code == 1 && folder.files("few") == ["jpeg.png"])
            #expect(scans.error.contains("the limit max-jpeg-scans is 3"), "\(scans.error)")
            for (options, message) in [
                (["--crop", "1,2,3"], "--crop takes four whole numbers"), (["--fit", "zoom"], "--fit takes inside"),
                (["--frame", "0"], "--frame takes a whole number"),
            ] {
                let outcome = try Offstage.run(
                    "render", arguments: ["in/png.png", "-o", "b.png"] + options, in: folder)
                #expect(outcome.code == 2)
                #expect(outcome.error.contains(message), "\(outcome.error)")
            }
        }
    }

    @Test func aFrameOfAnAnimatedPNGFile() throws {
        try withFolder { folder in
            try Self.write(into: folder)
            let outcome = try Offstage.run("render", "in/apng.png", "-o", "a.png", "--frame", "3", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            let picture = try folder.picture("a.png")
            #expect(
                zip(picture[20, 20], [0, 127, 128, 255]).allSatisfy { abs(Int($0) - $1) <= 1 }, "\(picture[20, 20])")
            #expect(picture[100, 70] == [0, 255, 0, 255])
            let none = try Offstage.run("render", "in/apng.png", "-o", "b.png", "--frame", "4", in: folder)
            #expect(none.code == 1)
            #expect(none.error.contains("it has 3 frames, but no frame 4; use one from 1 to 3"), "\(none.error)")
        }
    }

    @Test func oneBadFileCostsOneResult() throws {
        try withFolder { folder in
            try Self.write(into: folder)
            try folder.write("in/text.png", "just text")
            try folder.write("in/damaged.jpg", Data([0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 90)))
            let photo = try Data(
                contentsOf: Document.root.appendingPathComponent("Snippets/assets/img/alpine.jpg"))
            try folder.write("in/cut.jpg", photo.prefix(photo.count / 2))
            let outcome = try Offstage.run("render", "in", "--out", "out", "--width", "40", in: folder)
            #expect(outcome.code == 1)
            #expect(outcome.error.contains("in/text.png: it is not an image file of a known kind: JPEG, PNG"))
            #expect(outcome.error.contains("in/damaged.jpg: the file is damaged, and none of it can be decoded"))
            #expect(outcome.error.contains("in/cut.jpg: missing because the file is damaged: its lower part"))
            #expect(folder.files("out").count == 21)
        }
    }

    @Test func allFrontDoors() throws {
        try withFolder { folder in
            try Self.write(into: folder)
            let photo = try folder.data("in/heic.heic")
            // Standard input is recognized by its bytes.
            let piped = try Offstage.run("render", "-", "-o", "a.png", "--width", "30", stdin: photo, in: folder)
            #expect(piped.code == 0, "\(piped.error)")
            #expect(try folder.picture("a.png").size == [30, 20])

            let row = #"{"identifier": "b", "file": "in/avif.avif", "fit": "cover", "width": 24, "height": 24}"#
            try folder.write("rows.jsonl", row + "\n" + #"{"identifier": "c", "html": "<p>c", "width": 50}"#)
            let rows = try Offstage.run("render", "--manifest", "rows.jsonl", "--out", "rows", in: folder)
            #expect(rows.code == 0, "\(rows.error)")
            #expect(try folder.picture("rows/b.png").size == [24, 24])
            let pipe = try Offstage.run("pipe", "--out", "pipe", stdin: Data((row + "\n").utf8), in: folder)
            #expect(try folder.data("pipe/b.png") == folder.data("rows/b.png"), "\(pipe.error)")

            let service = try Service(in: folder)
            let answer = try service.draw(photo, type: "image/heic", "width=30")
            #expect(answer.status == 200)
            #expect(try Picture(answer.body).size == [30, 20])
            #expect(try answer.body == folder.data("a.png"))
            let wrong = try service.draw(Data("text".utf8), type: "image/png", "width=30")
            #expect(wrong.status == 422)
            _ = try service.stop()
        }
    }

    @Test func info() throws {
        try withFolder { folder in
            try Self.write(into: folder)
            let outcome = try Offstage.run("info", "in", "--json", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            let objects = try outcome.objects
            #expect(objects.count == 20)
            #expect(
                objects.allSatisfy {
                    $0["width"] as? Int == 120 && $0["height"] as? Int == 80
                        && $0["frames"] as? Int == (($0["source"] as? String)?.hasSuffix("apng.png") == true ? 3 : 1)
                })
            let kinds = Set(objects.compactMap { $0["kind"] as? String })
            #expect(
                kinds == ["JPEG", "PNG", "WebP", "GIF", "TIFF", "BMP", "ICO", "HEIC", "AVIF", "JPEG 2000", "JPEG XL"])
            let text = try Offstage.run("info", "in/png.png", "in/none.png", in: folder)
            #expect(text.code == 1)
            #expect(text.text.hasPrefix("in/png.png: PNG, 120 × 80 px"))
            #expect(text.error.contains("in/none.png"))
            #expect(try Offstage.run("info", in: folder).code == 2)
        }
    }

    /// Files that are cut at every eighth of their length, or have changed bytes, give one result each and do not
    /// affect the good files' bytes.
    @Test func hostileFiles() throws {
        try withFolder { folder in
            try Self.write(into: folder)
            let names = folder.files("in")
            let good = try Offstage.run("render", "in", "--out", "good", "--width", "33", in: folder)
            #expect(good.code == 0, "\(good.error)")
            var random = SystemRandomNumberGenerator()
            for name in names {
                let data = try folder.data("in/\(name)")
                for eighth in 1..<8 {
                    try folder.write("in/cut-\(eighth)-\(name)", data.prefix(data.count * eighth / 8))
                }
                for number in 0..<3 {
                    var changed = data
                    for _ in 0..<10 { changed[Int.random(in: 0..<data.count, using: &random)] = .random(in: 0...255) }
                    try folder.write("in/changed-\(number)-\(name)", changed)
                }
            }
            let outcome = try Offstage.run(
                "render", "in", "--out", "out", "--width", "33", "--json", "--no-cache", in: folder)
            #expect(outcome.code == 1)
            let objects = try outcome.objects
            #expect(objects.count == 11 * names.count)
            for name in folder.files("good") {
                #expect(try folder.data("out/\(name)") == folder.data("good/\(name)"), "\(name)")
            }
        }
    }
}
