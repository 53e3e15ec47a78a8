import Foundation
import Offstage
import OffstageWorkers
import PageSamples
import Testing

@testable import OffstagePages

/// Copies of documents that workers share.
struct SharedDocumentTests {
    /// A document of at least this many bytes.
    private func document(_ bytes: Int, color: String = "1 0 0") -> PageDocument {
        let comment = "% " + String(repeating: "x", count: bytes) + "\n"
        return TestPDF(comment + "\(color) rg 0 0 100 100 re f").document
    }

    @Test func theJobsOfADocumentShareItsBytes() throws {
        let documents = SharedDocuments()
        let (one, other, small) = (document(100_000), document(100_000), document(10))
        let first = try #require(try documents.shared(one))
        #expect(first.size == one.data.count)
        #expect(try documents.shared(one) === first)
        #expect(try documents.shared(other) !== first)
        #expect(try documents.shared(one) === first)
        #expect(try documents.shared(small) == nil)
        // Not all copies are kept.
        weak var released: WorkerDocument?
        do {
            let third = document(100_000)
            released = try documents.shared(third)
            #expect(released != nil)
        }
        _ = try documents.shared(one)
        _ = try documents.shared(other)
        #expect(released == nil)
    }

    @Test func pagesOfLargeDocumentsAreTheirOwn() async throws {
        let (red, blue) = (document(200_000), document(200_000, color: "0 0 1"))
        try await withPages(workers: 2) { engine async throws in
            for turn in 0..<3 {
                for (document, color) in [(red, RGB(0xFF0000)), (blue, 0x0000FF)] {
                    let fit = FitBox(width: 200 + turn, height: 200)
                    #expect(try await engine.pixels(DocumentPage(document, fit: fit)).color(50, 50) == color)
                }
            }
            var page = DocumentPage(red, fit: FitBox(width: 50, height: 50))
            page.budget.documentBytes = red.data.count - 1
            guard case .overLimit = await engine.failure(page) else {
                Issue.record("a document over the limit")
                return
            }
        }
    }
}
