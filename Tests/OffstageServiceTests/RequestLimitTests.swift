import Offstage
import OffstageRequests
import OffstageService
import OffstageWebKit
import Testing

/// The limits of a single request, in addition to those of the command line.
struct RequestLimitTests {
    private func timeout(_ row: [String: JSONValue], commandLine: [String: [String]] = [:]) throws -> Double {
        var reader = RequestReader(ParsedOptions(values: commandLine), folder: nil, allowsFiles: false)
        var row = row
        row["html"] = .text("<p>")
        return try #require(reader.read(row, at: "line 1").drawing("a") as? Snippet).timeout
    }

    @Test func aRequestCanShortenItsTimeAndNotLengthenIt() throws {
        #expect(try timeout([:]) == 10)
        #expect(try timeout(["timeout": .number(2.5)]) == 2.5)
        #expect(try timeout(["timeout": .integer(86_400)]) == 10)
        let five = ["timeout": ["5"]]
        #expect(try timeout([:], commandLine: five) == 5)
        #expect(try timeout(["timeout": .integer(4)], commandLine: five) == 4)
        #expect(try timeout(["timeout": .integer(6)], commandLine: five) == 5)
        // The default time is longer.
        #expect(try timeout(["timeout": .null], commandLine: five) == 5)
        #expect(try timeout(["timeout": .integer(50)], commandLine: ["timeout": ["60"]]) == 50)
        #expect(throws: UsageError.self) { try timeout(["timeout": .integer(86_401)]) }
    }

    /// Only limits that a request can set itself need a maximum.
    @Test func noOtherLimitIsAKeyOfARequest() {
        let names = SourceRegistry.limits.map(\.name)
        #expect(names.count > 10)
        for name in names { #expect(!RowSettings.isKey(name), "\(name)") }
    }

    @Test func aThumbnailIsOfItsFilesFormat() throws {
        var reader = RequestReader(folder: nil, allowsFiles: false)
        for (path, format) in [("a.jpg", "jpeg"), ("a.png", "png"), ("a", "png"), ("a.WEBP", "webp")] {
            let row: [String: JSONValue] = ["html": .text("<p>"), "format": .text("thumb:20x20")]
            let defaults = try reader.defaults(ofFile: path, named: "\"output\"", row, at: "line 1")
            let picture = try reader.read(row, defaults: defaults, at: "line 1").settings.variants[0]
            #expect(picture.format.name == format)
            #expect(picture.box == PixelSize(width: 20, height: 20))
        }
    }

    @Test func whatTakesNoFormatFromAFileNamesThemAll() throws {
        let reader = RequestReader(folder: nil, allowsFiles: false)
        let error = #expect(throws: UsageError.self) {
            try reader.defaults(ofFile: "a.bmp", named: "\"output\"", [:], at: "line 1")
        }
        let text = error?.description ?? ""
        for format in FileFormat.all {
            for name in format.kind.fileExtensions {
                #expect(text.contains(".\(name)"))
                #expect(FileFormat(fileExtension: name.uppercased())?.name == format.name)
            }
        }
        #expect(text.hasSuffix(".pdf, .svg, .dat or .json, or give a \"format\""))
    }
}
