import Foundation
import Offstage
import OffstageImages
import OffstageWorkers
import Testing

@testable import OffstageInk
@testable import OffstagePages

/// Worker answers in several messages or parts: incorrect lists, and lists that never end.
struct UntrueListTests {
    /// The behaviour of `offstage-hostile-worker`.
    private enum Command: String, CaseIterable {
        case morePagesThanThereAre = "m"
        case fewerRecords = "r"
        case anotherDocument = "c"
        case noEnd = "n"
    }

    /// The error of a request to the worker; nil if it succeeds.
    private func failure(
        _ command: Command, kind: String = "INK", seconds: Double = 600,
        _ ask: (InkEngine, Data, InkLimits) async throws(DrawingError) -> Void
    ) async -> DrawingError? {
        var source = InkSource()
        source.program = WorkerProgram("offstage-hostile-worker")
        let pdfium = PDFium(library: "/nothing", fonts: [], worker: "offstage-hostile-worker")
        let pages = PageEngine(PageSource(pdfium: pdfium), workers: 1)
        let engine = InkEngine(source, InkBackgrounds(pages, ImageEngine(workers: 1)), workers: 1)
        var limits = InkLimits()
        (limits.budget.seconds, limits.budget.processorSeconds) = (seconds, 600)
        var found: DrawingError?
        do throws(DrawingError) {
            try await ask(engine, Data("\(kind)         \(command.rawValue)".utf8), limits)
        } catch { found = error }
        await engine.shutDown()
        return found
    }

    private func info(_ command: Command, seconds: Double = 600) async -> DrawingError? {
        await failure(command, seconds: seconds) { engine, data, limits throws(DrawingError) in
            _ = try await engine.info(of: InkDocument(data), limits: limits)
        }
    }

    @Test(arguments: Command.allCases.filter { $0 != .noEnd }) private func pages(_ command: Command) async {
        guard case .unusable(let problem) = await info(command) else {
            Issue.record("no error")
            return
        }
        #expect(problem.code == "worker-invalid-answer")
    }

    /// Each answer arrives in time, but together they exceed the time limit.
    @Test func allAnswersHaveOneTime() async {
        #expect(await info(.noEnd, seconds: 0.1) == .engineHung(seconds: 0.1))
        // The pages of a PDF document, and the annotations of each page.
        let annotations = await failure(.noEnd, kind: "PDF", seconds: 0.1) {
            engine, data, limits throws(DrawingError) in
            _ = try await engine.load(annotationsOf: PageDocument(data), limits: limits)
        }
        #expect(annotations == .engineHung(seconds: 0.1))
    }

    @Test func recordsAreInProportionToTheDocument() async {
        let error = await failure(.noEnd) { engine, data, limits throws(DrawingError) in
            _ = try await engine.load(InkDocument(data), limits: limits)
        }
        guard case .unusable(let problem) = error else {
            Issue.record("no error")
            return
        }
        #expect(problem.code == "worker-invalid-answer")
        let limits = InkLimits()
        #expect(InkDocument(Data(count: 1 << 20)).mostRecordBytes(limits) == 256 << 20)
        #expect(InkDocument(Data([0x1F, 0x8B]) + Data(count: 1 << 20)).mostRecordBytes(limits) == 1 << 30)
        #expect(InkDocument(Data("PK".utf8)).mostAttachmentPixels(limits) < 4096)
    }
}
