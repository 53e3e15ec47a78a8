import Foundation
import Testing

/// Invalid formats: the message names the wrong key and lists the valid values.
@Suite struct FormatWrongUseTests {
    @Test(arguments: [
        ("gif", " takes png, jpeg, webp, raw, pdf, svg, dat or json, not 'gif'"),
        ("", " takes png, jpeg, webp, raw, pdf, svg, dat or json, not ''"),
        ("JPEG", " takes png, jpeg, webp, raw, pdf, svg, dat or json, not 'JPEG'"),
        ("jpeg:", " jpeg takes quality, subsampling and background, not ''"),
        ("jpeg:frob=1", " jpeg takes quality, subsampling and background, not 'frob'"),
        ("jpeg:quality=80,", " jpeg takes quality, subsampling and background, not ''"),
        ("jpeg:quality", " jpeg: quality needs a value: quality=…"),
        ("jpeg:quality=0", " jpeg: quality takes a whole number from 1 to 100, not '0'"),
        ("jpeg:quality=101", " jpeg: quality takes a whole number from 1 to 100, not '101'"),
        ("jpeg:quality=8.5", " jpeg: quality takes a whole number from 1 to 100, not '8.5'"),
        ("jpeg:quality=8,quality=9", " jpeg: quality is given twice"),
        ("jpeg:subsampling=4:1:1", " jpeg: subsampling takes 4:4:4, 4:2:2 or 4:2:0, not '4:1:1'"),
        ("jpeg:background=reddish", background("reddish")), ("jpeg:background=transparent", background("transparent")),
        ("jpeg:background=rgba(1,2,3,0.5)", background("rgba(1,2,3,0.5)")),
        ("webp:quality=-1", " webp: quality takes a whole number from 0 to 100, not '-1'"),
        ("webp:lossless=1", " webp: lossless takes no value, not '=1'"),
        ("webp:lossless,quality=9", " webp: use either lossless or quality, not both"),
        ("webp:level=9", " webp takes quality and lossless, not 'level'"),
        ("png:level=10", " png: level takes a whole number from 0 to 9, not '10'"),
        ("png:palette=256", " png: palette takes no value, not '=256'"),
        ("raw:argb", " raw takes bgra and rgba, not 'argb'"),
        ("raw:bgra,rgba", " raw: use either bgra or rgba, not both"),
    ])
    func specs(spec: String, message: String) throws {
        let format = message.replacing("dat or json, not", with: "dat, json or thumb:WxH, not")
        try expectRefusal(["--out", "out", "--format", spec], "--format" + format)
        try expectRefusal(["--out", "out", "--format", "thumb:9x9:" + spec], "--format thumb:9x9:" + message)
        let also = message.replacing("dat or json, not", with: "dat, json, thumb:WxH or a scale such as 2x, not")
        try expectRefusal(["--out", "out", "--also", "webp", "--also", spec], "--also" + also)
        try expectRefusal(["--out", "out", "--also", "thumb:9x9:" + spec], "--also thumb:9x9:" + message)
    }

    private static func background(_ value: String) -> String {
        " jpeg: background takes an opaque colour such as white, #1e90ff or rgb(30,144,255), not '\(value)'"
    }

    @Test(arguments: ["", "120", "120x", "x120", "0x120", "120x-1", "+1x1", "1x1x1", "12ox120", "120x32768", "120X120"])
    func boxes(box: String) throws {
        let message = "takes a box in device px, such as thumb:120x120, with sides from 1 to 32767, not '\(box)'"
        try expectRefusal(["--out", "out", "--also", "thumb:" + box], "--also thumb: " + message)
        try expectRefusal(["--out", "out", "--format", "thumb:" + box], "--format thumb: " + message)
    }

    @Test(arguments: ["0x", "3.01x", "-1x", "nanx", "infx"])
    func scales(scale: String) throws {
        let message = "--also takes a scale from 0.25x to 3x, not '\(scale)'"
        try expectRefusal(["--out", "out", "--also", scale], message)
        try expectRefusal(["--out", "out", "--also", scale + ":webp"], message)
    }

    @Test func aBoxThatItsFormatCannotHold() throws {
        try expectRefusal(
            ["--out", "out", "--also", "thumb:1x16384:webp"],
            "--also thumb: takes a box in device px, such as thumb:120x120, with sides from 1 to 16383, not '1x16384'")
    }

    @Test func extensions() throws {
        let message = "has an unknown extension; use .png, .jpg, .jpeg, .webp, .raw, .pdf, .svg, .dat or .json"
        for name in ["x.gif", "x.png.bak", "x.eps"] {
            try expectRefusal(["-o", name], "-o \(name) \(message)")
            try expectRefusal(["-o", name, "--format", "thumb:9x9"], "-o \(name) \(message)")
            try expectRefusal(["-o", name], "-o \(name) \(message)", ["sheet", "."])
        }
    }

    private func expectRefusal(
        _ options: [String], _ message: String, _ command: [String] = ["render", "a.html"]
    ) throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            let outcome = try Child([Offstage.path] + command + options, folder: folder.path).wait()
            #expect(outcome.code == 2, "\(options)")
            #expect(outcome.error == "offstage: \(message)\n")
            #expect(folder.files() == ["a.html"], "\(options) created something")
        }
    }
}
