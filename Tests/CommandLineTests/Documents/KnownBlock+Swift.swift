import Foundation
import References
import Testing

extension KnownBlock {
    static let ofSwift = [
        KnownBlock("docs/swift.md", "swift", "// swift-tools-version: 6.2") { block in
            try withFolder { folder in
                // The folder of the checkout may have any name.
                try folder.write("report/Package.swift", block.text.replacing("../offstage", with: "../checkout"))
                try folder.write("report/Sources/report/main.swift", "")
                try FileManager.default.createSymbolicLink(
                    atPath: folder.path("checkout"), withDestinationPath: Document.root.path)
                // Finds the products, or reports that no products have these names.
                let outcome = try Child(
                    [
                        "/usr/bin/env", "swift", "package", "--package-path", "report", "show-dependencies",
                        "--disable-sandbox",
                    ], folder: folder.path
                ).wait()
                #expect(outcome.code == 0, "\(outcome.error)")
                #expect(outcome.text.contains("offstage"))
            }
        },
        example("docs/swift.md", "import Offstage", "Hello/main.swift", check: hello),
        example("docs/swift.md", "import Offstage", occurrence: 2, "Rows/main.swift") { program in
            try withFolder { folder in
                let cache = ["XDG_CACHE_HOME": folder.path("cache")]
                for drawn in [2, 0] {
                    let outcome = try Child([program], environment: cache, folder: folder.path).wait()
                    #expect(outcome.code == 0, "\(outcome.error)")
                    #expect(outcome.text == "\(drawn) drawn\n")
                    #expect(try folder.picture("Bob.png").width == 300)
                    #expect(try folder.picture("Ada.png")[299, 0] == [0xEE, 0xEE, 0xFF, 0xFF])
                    try FileManager.default.removeItem(atPath: folder.path("Ada.png"))
                }
                // A separate cache, so that other programs' names do not collide with it.
                #expect(FileManager.default.fileExists(atPath: folder.path("cache/offstage/rows/pictures.sqlite")))
            }
        },
        example("docs/swift.md", "import Foundation", "Feed/main.swift") { program in
            try withFolder { folder in
                let outcome = try Child([program], folder: folder.path).wait()
                #expect(outcome.code == 0, "\(outcome.error)")
                let lines = outcome.text.split(separator: "\n").map(String.init)
                #expect(lines.first?.hasPrefix("400 × ") == true)
                #expect(lines.first?.hasSuffix(" device px at once") == true)
                #expect(lines.contains { $0.hasPrefix("whole, 400 × ") })
                #expect(lines.contains("feed/20: the width is -1 CSS px; it must be 1 to 32767"))
                // Rows 0 to 7, which were drawn ahead of time, and the two requested ones.
                #expect(lines.last == "10 drawn, 1 failed")
            }
        },
        // The program needs a display for windows, so this only checks that it is built from these lines. Other tests
        // cover the list.
        example("docs/gtk.md", "import CGTK", "List/main.swift") { program in
            #expect(FileManager.default.isExecutableFile(atPath: program))
        },
        example("docs/gtk.md", "import Foundation", "List/Gallery.swift") { program in
            #expect(FileManager.default.isExecutableFile(atPath: program))
        },
        example("docs/gtk.md", "import CGTK", occurrence: 2, "Reader/main.swift") { program in
            #expect(FileManager.default.isExecutableFile(atPath: program))
        },
    ]

    static let ofContributing = [
        make("CONTRIBUTING.md", "make build"),
        make("CONTRIBUTING.md", "make test"),
        make("CONTRIBUTING.md", "make check-all"),
        make("CONTRIBUTING.md", "make check-deb"),
        KnownBlock(
            "CONTRIBUTING.md", "sh", "swift test --skip-build --disable-xctest --filter OffstageTests.RawEncoderTests"
        ) { block in
            try withFolder { folder in
                let outcome = try run(block.text, in: folder)
                let said = outcome.text + outcome.error
                #expect(said.contains("Suite RawEncoderTests passed"))
                #expect(said.contains("Test Suite 'ScaleTests' passed"))
            }
        },
        // The recorded results match the current output and pictures.
        KnownBlock("CONTRIBUTING.md", "sh", "fixtures=Tests/CommandLineTests/Fixtures") { block in
            try withFolder { folder in
                try folder.make("Tests/CommandLineTests/Fixtures")
                try folder.make("docs/schemas")
                let samples = Folder(path: Document.root.path).files("docs/samples").map { "docs/samples/" + $0 }
                for drawing in ["docs/how-it-works.html", "docs/side-by-side.html", "docs/sources.html"] + samples {
                    try folder.write(drawing, Data(contentsOf: Document.root.appendingPathComponent(drawing)))
                }
                try run(block.text, in: folder)
                let recorded = ["Tests/CommandLineTests/Fixtures", "docs/schemas"].flatMap { place in
                    Folder(path: Document.root.path).files(place).map { place + "/" + $0 }
                }.filter { file in !file.contains("/promises/") && !file.hasSuffix("/web-process.txt") }
                #expect(recorded.count > 14)
                for file in recorded {
                    let kept = try Data(contentsOf: Document.root.appendingPathComponent(file))
                    #expect(try folder.data(file) == kept, "\(file) is not what is recorded")
                }
                for drawing in ["docs/how-it-works.png", "docs/side-by-side.png", "docs/sources.png"] {
                    let kept = try Picture(Data(contentsOf: Document.root.appendingPathComponent(drawing)))
                    let now = try folder.picture(drawing)
                    // Another release draws text with another contrast, and some lines one px taller.
                    if References.isOfFirstRelease {
                        #expect(now.meanDifference(from: kept) == 0, "\(drawing) is another one now")
                    } else {
                        #expect(now.width == kept.width, "\(drawing)")
                        #expect(abs(now.height - kept.height) * 20 <= kept.height, "\(drawing)")
                    }
                }
            }
        },
        example("CONTRIBUTING.md", "import Foundation", "Format/PAMEncoder.swift", check: format),
        example("CONTRIBUTING.md", "import Foundation", occurrence: 2, "Sparkline/Sparkline.swift") { _ in },
        example("CONTRIBUTING.md", "import Foundation", occurrence: 3, "Sparkline/SparklineEngine.swift") { _ in },
        example("CONTRIBUTING.md", "import Offstage", "Sparkline/SparklineSettings.swift") { _ in },
        example("CONTRIBUTING.md", "import OffstageCommandLine", "Sparkline/main.swift") { _ in },
        KnownBlock("CONTRIBUTING.md", "sh", "swift run sparkline render numbers.csv") { block in
            try withFolder { folder in
                try folder.write("numbers.csv", Numbers.csv)
                let outcome = try run(block.text, in: folder)
                #expect(outcome.code == 0, "\(outcome.error)")
                #expect(try folder.picture("numbers.png").size == [400, 60])
            }
        },
    ]

    /// Another program reads our example format.
    @Sendable static func format(_ program: String) throws {
        try withFolder { folder in
            let outcome = try Child([program, "gradient.pam"], folder: folder.path).wait()
            #expect(outcome.code == 0, "\(outcome.error)")
            let convert = try Child(
                ["/usr/bin/convert", "gradient.pam", "-units", "PixelsPerInch", "-density", "96", "png32:read.png"],
                folder: folder.path
            ).wait()
            #expect(convert.code == 0, "\(convert.error)")
            let picture = try folder.picture("read.png")
            #expect(picture.size == [256, 60])
            #expect(picture[200, 59] == [0, 0, 200, 255])
        }
    }
}
