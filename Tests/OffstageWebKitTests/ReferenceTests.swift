import Foundation
import Offstage
import OffstageWebKit
import References
import XCTest

/// Snippets with the repository's own fonts look like their reviewed references.
///
/// `OFFSTAGE_RECORD=1 swift test --filter ReferenceTests` replaces the references that differ with the current
/// pictures. Review them.
final class ReferenceTests: XCTestCase {
    private let references = References(folder: Repository.tests + "/References")
    private let failures = Repository.root + "/.build/reference-failures"

    func testEverySnippetLooksLikeItsReference() throws {
        let isRecording = try Self.isRecording()
        var unlike: [String] = []
        for path in try Self.documents() {
            let name = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
            let image = try draw(Snippet(contentsOf: path, identifier: name))
            XCTAssertEqual(image.warnings, [], name)
            guard let difference = try ReferenceDifference(of: image, to: references.path(name)) else { continue }
            if isRecording {
                try image.write(to: references.newPath(name))
            } else {
                try difference.write(to: failures, name: name)
                unlike.append("\(name): \(difference.summary)")
            }
        }
        XCTAssert(
            unlike.isEmpty,
            "\(unlike.joined(separator: "\n"))\nSee reference, result and difference in \(failures).")
    }

    func testThereIsNoReferenceWithoutASnippet() throws {
        let names = try Self.documents().map { (($0 as NSString).lastPathComponent as NSString).deletingPathExtension }
        XCTAssertEqual(references.names().subtracting(names), [])
    }

    /// Writes the files for a failure and records the failure.
    func testADifferenceIsFoundAndKept() throws {
        let folder = NSTemporaryDirectory() + "offstage-tests-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try draw("<div style='height:10px'></div>").write(to: folder + "/reference.png")
        let same = try draw("<div style='height:10px'></div>")
        XCTAssertNil(try ReferenceDifference(of: same, to: folder + "/reference.png"))
        let other = try draw(
            "<div style='height:10px'><i style='display:block;width:1px;height:1px;background:#fefefe'>")
        let difference = try XCTUnwrap(try ReferenceDifference(of: other, to: folder + "/reference.png"))
        XCTAssertEqual(difference.summary, "1 of 1000 pixels differ")
        try difference.write(to: folder + "/kept", name: "row")
        XCTAssertEqual(
            try FileManager.default.contentsOfDirectory(atPath: folder + "/kept").sorted(),
            ["row.difference.png", "row.reference.png", "row.result.png"])
        XCTAssertNotNil(try ReferenceDifference(of: same, to: folder + "/missing.png"))
    }

    private static func documents() throws -> [String] {
        let documents = try Repository.documents(below: Repository.snippets).filter {
            try String(contentsOfFile: $0, encoding: .utf8).contains("<!-- fonts: carried -->")
        }
        XCTAssertGreaterThan(documents.count, 40)
        return documents
    }

    private static func isRecording() throws -> Bool {
        let environment = ProcessInfo.processInfo.environment
        guard environment["OFFSTAGE_RECORD"] == "1" else { return false }
        // In CI, nobody would review recorded references.
        if environment["CI"] == "true" { throw RecordingInCI() }
        return true
    }

    private struct RecordingInCI: Error, CustomStringConvertible {
        let description = "OFFSTAGE_RECORD=1 and CI=true: references are recorded by hand and looked at"
    }
}
