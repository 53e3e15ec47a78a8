import Foundation
import Testing

/// Offstage's own licence, and those of the fonts that the repository contains.
@Suite struct LicenceTests {
    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Self.repository.appendingPathComponent(path), encoding: .utf8)
    }

    @Test func packagesNameTheLicenceOfTheRepository() throws {
        let licence = try Self.text("LICENSE")
        #expect(licence.hasPrefix("MIT License\n"))
        let conditions = try #require(licence.firstRange(of: "\n\nPermission is"))
        // Debian's format: a space before each line, and a dot for an empty line.
        let lines = licence[conditions.lowerBound...].dropFirst(2).split(
            separator: "\n", omittingEmptySubsequences: false)
        let stanza = lines.dropLast().map { $0.isEmpty ? " ." : " \($0)" }.joined(separator: "\n")
        #expect(try Self.text("Packaging/copyright").contains("\nLicense: MIT\n\(stanza)\n"))
        #expect(try Self.text("Integrations/python/pyproject.toml").contains("\nlicense = { text = \"MIT\" }\n"))
        #expect(try Self.text("README.md").contains("[MIT licence](LICENSE)"))
    }

    @Test func everyFontHasItsLicenceBesideIt() throws {
        let folder = Self.repository.appendingPathComponent("Snippets/assets/fonts")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let fonts = names.filter { !$0.hasSuffix(".txt") }
        #expect(fonts.count >= 8)
        for font in fonts {
            let family = font.prefix { $0 != "." && ($0 != "-" || font.hasPrefix("Asana")) }.replacing("-", with: "")
            #expect(names.contains("OFL-\(family).txt"), "\(font)")
        }
        // No other folder has fonts.
        for root in ["Snippets", "Tests", "Sources", "docs", "Examples", "Integrations", "Benchmarks"] {
            let files = FileManager.default.enumerator(atPath: Self.repository.appendingPathComponent(root).path)
            for case let path as String in try #require(files)
            where ["ttf", "otf", "woff", "woff2"].contains((path as NSString).pathExtension) {
                #expect(path.hasPrefix("assets/fonts/"), "\(root)/\(path)")
            }
        }
    }
}
