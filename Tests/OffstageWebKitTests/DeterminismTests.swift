import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// The same request gives the same bytes, in any order, with any number of views, in any run.
final class DeterminismTests: XCTestCase {
    func testTheSnippetsAreTheSameInAnyOrderAndWithAnyNumberOfViews() throws {
        let documents = Repository.documents(below: Repository.snippets)
        XCTAssertGreaterThan(documents.count, 47)
        // Errors are equal, too.
        XCTAssertEqual(try assertSameBytes(documents), documents.count)
    }

    /// Real pages of all kinds are outside the repository, on the developers' machine.
    func testTheCorpusIsTheSameInAnyOrderAndWithAnyNumberOfViews() throws {
        let folder = ProcessInfo.processInfo.environment["OFFSTAGE_CORPUS"] ?? Repository.root + "/../shared/corpus"
        let documents = Repository.documents(below: folder)
        if documents.isEmpty {
            return print("No corpus in \(folder): set OFFSTAGE_CORPUS to a folder of HTML files to draw them too.")
        }
        XCTAssertGreaterThan(try assertSameBytes(documents) * 10, documents.count * 9)
    }

    /// - Returns: the number of pictures.
    private func assertSameBytes(_ documents: [String]) throws -> Int {
        let forward = try drawn(documents, views: 1)
        try assertEqual(drawn(documents.reversed(), views: 1), forward, "backward")
        try assertEqual(drawn(documents, views: 3), forward, "with three views")
        return forward.values.count { $0.starts(with: [0x89, 0x50, 0x4E, 0x47]) }
    }

    /// The PNG of each document, or its error.
    private func drawn(_ documents: [String], views: Int) throws -> [String: Data] {
        try onLoop {
            let renderer = Studio.make(views: views)
            let drawn = await withTaskGroup(of: (String, Data).self) { group in
                for path in documents {
                    group.addTask { (path, await Self.outcome(path, renderer)) }
                }
                var drawn: [String: Data] = [:]
                while let (path, data) = await group.next() { drawn[path] = data }
                return drawn
            }
            await renderer.finish()
            return drawn
        }
    }

    private static func outcome(_ path: String, _ renderer: Renderer) async -> Data {
        do {
            var snippet = try Snippet(contentsOf: path)
            snippet.timeout = 60
            return try await renderer.picture(for: snippet).encoded()
        } catch {
            return Data("\(error)".utf8)
        }
    }

    private func assertEqual(_ one: [String: Data], _ other: [String: Data], _ how: String) throws {
        let different = one.keys.filter { one[$0] != other[$0] }.sorted()
        XCTAssertEqual(different, [], "drawn \(how)")
        XCTAssertEqual(one.count, other.count)
    }
}
