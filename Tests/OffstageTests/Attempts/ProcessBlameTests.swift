import Testing

@testable import Offstage

/// Deciding which document caused the loss of a process.
@Suite(.timeLimit(.minutes(15)))
struct ProcessBlameTests {
    /// A process that has drawn some documents and is about to draw this one.
    private func drawing(_ document: ProcessLife.Document, after drawings: Int = 1) throws -> ProcessLife {
        var life = ProcessLife()
        _ = life.start()
        for _ in 0..<drawings {
            try life.begin(.expected)
            life.commit()
            life.finish(mustLeave: false)
        }
        try life.begin(document == .written ? .written : .expected)
        if document == .committed { life.commit() }
        #expect(life.work == .drawing(document))
        return life
    }

    @Test(arguments: [
        (ProcessLife.Document.expected, ProcessLoss.Blame.nobody), (.committed, .document), (.written, .nobody),
    ])
    func aCrashBlamesOnlyACommittedDocument(document: ProcessLife.Document, blame: ProcessLoss.Blame) throws {
        for drawings in 0...1 {
            var life = try drawing(document, after: drawings)
            life.lose(.crashed)
            #expect(life.loss == ProcessLoss(.crashed, blame: blame, isAlone: drawings == 0))
        }
    }

    /// Before its first document, a process only starts, so no earlier document can have hung it.
    @Test(arguments: [
        (ProcessLife.Document.expected, 0, ProcessLoss.Blame.document), (.expected, 1, .nobody),
        (.committed, 0, .document), (.committed, 1, .document), (.written, 1, .document),
    ])
    func aHangBeforeTheCommitBlamesNobodyWhereAnOlderDocumentWas(
        document: ProcessLife.Document, drawings: Int, blame: ProcessLoss.Blame
    ) throws {
        var life = try drawing(document, after: drawings)
        life.lose(.hung(seconds: 1))
        #expect(life.loss?.blame == blame)
    }

    @Test func aLimitBlamesTheDocumentAndADisplayNobody() throws {
        let reason = EngineUnavailable(problem: "no display", remedy: "start one")
        for document in [ProcessLife.Document.expected, .committed, .written] {
            for drawings in 0...1 {
                var (memory, scripts, display) = (
                    try drawing(document, after: drawings), try drawing(document, after: drawings),
                    try drawing(document, after: drawings)
                )
                let excess = LimitExcess(.memory, allowed: 1, measured: 2)
                memory.lose(.overMemory(excess))
                #expect(memory.loss == ProcessLoss(.overMemory(excess), blame: .document, isAlone: drawings == 0))
                scripts.lose(.misbehaved("too many messages"))
                #expect(scripts.loss?.blame == .document)
                display.lose(.unavailable(reason))
                #expect(display.loss?.blame == .nobody)
            }
        }
    }

    @Test func anIdleOrLeavingProcessBlamesNobody() throws {
        var (idle, leaving) = (try drawing(.committed), try drawing(.committed))
        idle.finish(mustLeave: false)
        leaving.finish(mustLeave: true)
        let excess = LimitExcess(.memory, allowed: 1, measured: 2)
        for cause in [ProcessLoss.Cause.crashed, .hung(seconds: 1), .overMemory(excess)] {
            for process in [idle, leaving] {
                var life = process
                life.lose(cause)
                #expect(life.loss?.blame == .nobody)
            }
        }
    }

    /// An engine may know that its process confused two documents.
    @Test func theEngineMayAcquitADocument() throws {
        var life = try drawing(.committed)
        life.lose(.crashed, blame: .nobody)
        #expect(life.loss?.blame == .nobody)
    }
}
