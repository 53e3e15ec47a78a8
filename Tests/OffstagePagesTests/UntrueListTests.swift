import Foundation
import Offstage
import OffstageWorkers
import Testing

@testable import OffstagePages

/// Lists that a worker sends in several answers: incorrect lists, and lists that never end.
struct UntrueListTests {
    /// The behaviour of `offstage-hostile-worker` for a list.
    private enum Command: String, CaseIterable {
        case moreRecordsThanNumbers = "m"
        case doesNotGoOn = "s"
        case beyondTheEnd = "e"
        case onePageTwice = "t"
        case anotherDocument = "c"
        case tooManyPages = "p"
        case muchInformation = "i"
        case aLongLabel = "l"
        case longestLabels = "b"
        case noEnd = "n"

        var document: PageDocument { PageDocument(Data("PDF         \(rawValue)".utf8)) }
    }

    /// The error of a request to the worker; nil if it succeeds.
    private func failure(
        _ command: Command, seconds: Double = 600,
        _ ask: (PageEngine, PageDocument, WorkerBudget) async throws(DrawingError) -> Void
    ) async -> DrawingError? {
        let hostile = "offstage-hostile-worker"
        let pdfium = PDFium(library: "/nothing", fonts: [], worker: hostile, editor: hostile)
        let engine = PageEngine(PageSource(pdfium: pdfium), workers: 1)
        var found: DrawingError?
        do throws(DrawingError) {
            try await ask(engine, command.document, WorkerBudget(processorSeconds: 600, seconds: seconds))
        } catch { found = error }
        await engine.shutDown()
        return found
    }

    @Test(arguments: Command.allCases.filter { $0 != .noEnd }) private func pages(_ command: Command) async {
        let error = await failure(command) { engine, document, budget throws(DrawingError) in
            _ = try await engine.info(of: document, budget: budget)
        }
        #expect(error?.problemCode == "worker-invalid-answer")
    }

    @Test func theNumberOfPages() async {
        let error = await failure(.tooManyPages) { engine, document, _ throws(DrawingError) in
            _ = try await engine.pageCount(of: document)
        }
        #expect(error?.problemCode == "worker-invalid-answer")
    }

    @Test(arguments: [Command.moreRecordsThanNumbers, .doesNotGoOn, .beyondTheEnd]) private func words(
        _ command: Command
    ) async {
        let error = await failure(command) { engine, document, budget throws(DrawingError) in
            _ = try await engine.text(of: document, page: 1, budget: budget)
        }
        #expect(error?.problemCode == "worker-invalid-answer")
    }

    @Test(arguments: [Command.moreRecordsThanNumbers, .doesNotGoOn, .beyondTheEnd]) private func annotations(
        _ command: Command
    ) async {
        let error = await failure(command) { engine, document, budget throws(DrawingError) in
            _ = try await engine.annotations(of: document, page: 1, budget: budget)
        }
        #expect(error?.problemCode == "worker-invalid-answer")
    }

    /// Each answer arrives in time, but together they exceed the time limit.
    @Test func allAnswersHaveOneTime() async {
        let seconds = 0.1
        let info = await failure(.noEnd, seconds: seconds) { engine, document, budget throws(DrawingError) in
            _ = try await engine.info(of: document, budget: budget)
        }
        #expect(info == .engineHung(seconds: seconds))
        let words = await failure(.noEnd, seconds: seconds) { engine, document, budget throws(DrawingError) in
            _ = try await engine.text(of: document, page: 1, budget: budget)
        }
        #expect(words == .engineHung(seconds: seconds))
    }

    @Test func bytesAreInProportionToTheDocument() {
        #expect(AnswerSeries.bytes(of: 44) == 8 << 20)
        #expect(AnswerSeries.bytes(of: 1 << 18) == 16 << 20)
        #expect(AnswerSeries.bytes(of: .max) == 64 << 20)
    }
}
