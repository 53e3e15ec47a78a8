import Foundation
import Offstage
import Synchronization
import Testing

@testable import OffstageWorkers

/// A document for `offstage-test-worker` with a command.
struct TestRequest: DrawingRequest {
    var identifier = ""
    var document = Data("document".utf8)
    var command: TestCommand = .echo
    /// The command's argument.
    var words = ""
    var budget = WorkerBudget()
    /// A document in shared memory that several jobs use; nil to use `document`.
    var shared: WorkerDocument?
    /// How many answers the source will reject as untrue.
    var doubts = Doubts(0)
    var scale = 1.0
}

final class Doubts: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    func takeOne() -> Bool {
        left.withLock { left in
            left -= 1
            return left >= 0
        }
    }
}

/// The worker's behaviour; see `Tests/TestWorker/main.c`.
enum TestCommand: Character, Sendable, CaseIterable {
    case echo = "e"
    case echoLarge = "b"
    case abort = "c"
    case segfault = "s"
    case hang = "h"
    case swallow = "w"
    case allocate = "a"
    case exit = "i"
    case fail = "f"
    case garbage = "g"
    case open = "1"
    case socket = "2"
    case exec = "3"
    case fork = "4"
    case mapCode = "5"
    case shareMemory = "S"
    case connect = "6"
    case createMemory = "7"
    case sendDescriptor = "8"
    case thread = "9"
    case namespace = "N"
    case clock = "q"
    case random = "r"
    case impossibleSize = "o"
    case keepMemory = "u"
    case noWidth = "x"
    case unknownKind = "k"
    case hostsKind = "d"
    case twoAnswers = "t"
    case parts = "P"
    case emptyParts = "E"
    case burn = "C"
    case answerAndBurn = "B"
    case answerAndHold = "M"
    case oldMemory = "Z"
    case answerAndGrow = "G"
    case answerAndOpen = "O"
    case call = "Y"

    static let lies: [TestCommand] = [
        .garbage, .impossibleSize, .keepMemory, .noWidth, .unknownKind, .hostsKind,
    ]
    static let forbidden: [TestCommand] = [
        .open, .socket, .exec, .fork, .mapCode, .shareMemory, .connect, .createMemory, .sendDescriptor, .thread,
        .namespace, .clock,
    ]
}

struct TestSource: WorkerSource {
    /// Whether pictures can be cached.
    var isCached = false
    var program = WorkerProgram("offstage-test-worker", installCommand: "swift build --product offstage-test-worker")

    func job(for request: TestRequest) throws(DrawingError) -> WorkerJob {
        var job = WorkerJob(
            document: request.document, options: Data((String(request.command.rawValue) + request.words).utf8),
            budget: request.budget)
        job.shared = request.shared
        return job
    }

    func drawing(from answer: WorkerAnswer, for request: TestRequest) throws(DrawingError) -> Drawing {
        if request.doubts.takeOne() { throw .untrueAnswer("it is doubted") }
        guard let pixmap = answer.pixmap else { throw .empty }
        return Drawing(pixmaps: [pixmap], scale: 1)
    }

    func error(for failure: WorkerFailure, of request: TestRequest) -> DrawingError {
        .unusable(SourceProblem("test", "\(failure.code) \(failure.numbers)"))
    }

    func fingerprint(of request: TestRequest) -> Fingerprint? {
        if !isCached { return nil }
        var builder = Fingerprint.Builder()
        builder.add("document", Digest(of: request.document))
        return builder.build()
    }
}

/// Runs `body` with an engine that is shut down afterwards.
@discardableResult
func withEngine<R>(
    workers: Int = 1, jail: WorkerJail = .wherePossible, fresh: FreshWorkers = .never,
    recycling: Recycling = Recycling(), _ body: (WorkerEngine<TestSource>) async throws -> R
) async throws -> R {
    let engine = WorkerEngine(TestSource(), workers: workers, jail: jail, fresh: fresh, recycling: recycling)
    do {
        let result = try await body(engine)
        await engine.shutDown()
        return result
    } catch {
        await engine.shutDown()
        throw error
    }
}

extension WorkerEngine<TestSource> {
    /// Draws a document and returns the pixels.
    func pixels(
        _ document: String = "document", _ command: TestCommand = .echo, words: String = "",
        budget: WorkerBudget = WorkerBudget()
    ) async throws(DrawingError) -> PixelBytes {
        let request = TestRequest(document: Data(document.utf8), command: command, words: words, budget: budget)
        return try await draw(request).pixmaps[0].bytes
    }

    /// The error of a drawing; nil if there is a picture.
    func error(
        _ command: TestCommand, words: String = "", budget: WorkerBudget = WorkerBudget()
    ) async -> DrawingError? {
        do throws(DrawingError) {
            _ = try await pixels("document", command, words: words, budget: budget)
            return nil
        } catch { return error }
    }
}

/// All bytes of a picture. A failed comparison prints only the first ones.
struct PixelBytes: Equatable, Sendable, CustomStringConvertible, CustomTestStringConvertible {
    var bytes: [UInt8]

    /// Faster than the generic comparison, which takes a second for a large picture in a debug build.
    static func == (one: Self, other: Self) -> Bool {
        one.bytes.count == other.bytes.count && memcmp(one.bytes, other.bytes, one.bytes.count) == 0
    }

    var description: String { "\(bytes.count) bytes: \(bytes.prefix(16))…" }
    var testDescription: String { description }
}

/// The picture that the worker should draw.
func echo(of document: String = "document", side: Int = 32) -> PixelBytes {
    let bytes = Array(document.utf8)
    let count = 4 * side * side
    let whole = String(repeating: document, count: count / bytes.count + 1)
    return PixelBytes(bytes: Array(Array(whole.utf8)[..<count]))
}

extension Pixmap {
    var bytes: PixelBytes {
        var bytes: [UInt8] = []
        for y in 0..<size.height { withRow(y) { bytes.append(contentsOf: $0) } }
        return PixelBytes(bytes: bytes)
    }
}

extension DrawingError {
    /// The code of a problem with the source.
    var problemCode: String? { if case .unusable(let problem) = self { problem.code } else { nil } }
}
