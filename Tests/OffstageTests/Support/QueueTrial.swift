import SeededRandom
import Testing

@testable import Offstage

/// A renderer and its model, driven through the same random steps and compared after each.
struct QueueTrial {
    let seed: UInt64
    /// The renderer differed from the model, and the trial stopped there.
    private(set) var hasFailed = false
    private var chance: SeededGenerator
    private var model: QueueModel
    private let renderer: Renderer
    private let engine: FakeEngine
    private let gate = Gate()
    private let clock = ManualClock()
    private let tokens = (request: Token(), engine: Token())
    /// The started and the answered requests, as the renderer's hosts see them.
    private let started = Record<String>()
    private let answers = Record<(number: Int, outcome: Result<[RenderedPicture], DrawingError>)>()
    private let observer: Task<Void, Never>

    private var identifiers: [Int: String] = [:]
    private var widths: [Int: Int] = [:]
    private var leases: [Int: (lease: SuspensionLease, end: ManualClock.Instant?)] = [:]
    private var lastLease = 0
    private var finishing: [Task<Void, Never>] = []

    init(seed: UInt64) {
        self.seed = seed
        chance = SeededGenerator(seed: seed)
        let failing = (0..<1000).filter { $0 % 3 != 0 }.map { ("bad/\($0)", DrawingError.empty) }
        let errors = Dictionary(uniqueKeysWithValues: failing)
        model = QueueModel(
            width: .random(in: 1...3, using: &chance),
            maximumWaiting: chance.oneIn(2) ? nil : .random(in: 0...8, using: &chance),
            allowsImmediate: chance.oneIn(2), errors: errors)
        engine = FakeEngine(capacity: model.width, gate: gate, errors: errors, token: tokens.engine)
        var configuration = RendererConfiguration()
        configuration.maximumWaiting = model.maximumWaiting
        configuration.allowsImmediate = model.allowsImmediate
        configuration.clock = clock
        renderer = Renderer(engine: engine, configuration: configuration)
        observer = Task { [events = renderer.events(buffering: .max), started] in
            for await event in events where event.kind == .started { started.note(event.identifier) }
        }
    }

    /// - Returns: the objects that must be deallocated once the trial has been released.
    mutating func run(steps: Int) async -> [() -> Token?] {
        let watch = Task { [started, answers, seed] in
            do { try await Task.sleep(for: .seconds(240)) } catch { return }
            Issue.record("something never came, seed \(seed)")
            started.giveUp()
            answers.giveUp()
        }
        for number in 1...steps {
            await step(number)
            await compare()
            if !isAsModel { break }
        }
        if isAsModel { await drain() }
        hasFailed = !isAsModel
        leases = [:]
        renderer.isSuspended = false
        await gate.open()
        await renderer.finish(hasFailed ? .cancelled : .drawn)
        if !hasFailed { await compareEnd() }
        watch.cancel()
        return [{ [weak token = tokens.request] in token }, { [weak token = tokens.engine] in token }]
    }

    private mutating func step(_ number: Int) async {
        switch Int.random(in: 0..<100, using: &chance) {
        case 0..<45: submit()
        case 45..<66: await endADrawing()
        case 66..<71: cancelOne()
        case 71..<80: reprioritise()
        case 80..<84: suspend()
        case 84..<90: endALease()
        case 90..<93: await advance()
        case 93..<95: toggle()
        case 95..<98: cancelMany()
        case 98 where chance.oneIn(4): finish()
        default: break
        }
        model.settle()
    }

    // MARK: Steps

    private static let clients = [RenderClient("a"), RenderClient("b", share: 3), RenderClient("c", share: 7)]

    private mutating func submit() {
        let number = identifiers.count + 1
        let identifier = "\(["bad", "row", "row/1", "cell"].randomElement(using: &chance)!)/\(number)"
        let key = chance.oneIn(2) ? nil : "\(Int.random(in: 0..<6, using: &chance))"
        let options = RenderOptions(
            priority: .allCases.randomElement(using: &chance)!, isImmediate: chance.oneIn(8),
            group: chance.oneIn(3) ? "\(Int.random(in: 0..<3, using: &chance))" : nil,
            client: chance.oneIn(4) ? nil : Self.clients.randomElement(using: &chance)!)
        identifiers[number] = identifier
        widths[number] = key.map { 1000 + Int($0)! } ?? number
        let request = FakeRequest(identifier: identifier, width: widths[number]!, key: key, token: tokens.request)
        let given = renderer.submit(request, options) { [answers] in answers.note((number, $0)) }
        #expect(given == number, "seed \(seed)")
        model.submit(
            number,
            QueueModel.Request(
                identifier: identifier, group: options.group, client: options.client ?? .anonymous,
                priority: options.priority, isImmediate: options.isImmediate),
            key: key)
    }

    private mutating func endADrawing() async {
        guard let job = model.running.randomElement(using: &chance) else { return }
        model.end(job)
        await gate.open(for: job.identifier)
    }

    private mutating func cancelOne() {
        // Sometimes the request already has its answer; then nothing happens.
        guard let number = identifiers.keys.sorted().randomElement(using: &chance) else { return }
        renderer.queue.cancel(requests: [number])
        model.cancel { one, _ in one == number }
    }

    private mutating func cancelMany() {
        switch Int.random(in: 0..<7, using: &chance) {
        case 0...2:
            let prefix = ["bad", "row", "row/1/", "cell/1"].randomElement(using: &chance)!
            renderer.cancel(identifiersWithPrefix: prefix)
            model.cancel { $1.identifier.hasPrefix(prefix) }
        case 3...5:
            let group = "\(Int.random(in: 0..<3, using: &chance))"
            renderer.cancel(group: group)
            model.cancel { $1.group == group }
        default:
            renderer.cancelAll()
            model.cancel { _, _ in true }
        }
    }

    private mutating func reprioritise() {
        guard let number = model.requests.keys.sorted().randomElement(using: &chance) else { return }
        let priority = RenderPriority.allCases.randomElement(using: &chance)!
        renderer.queue.setPriority(priority, ofRequest: number)
        model.setPriority(priority, of: number)
    }

    private mutating func suspend() {
        lastLease += 1
        let seconds: Int? = chance.oneIn(2) ? .random(in: 1...3, using: &chance) : nil
        // A limit that equals the capacity is also tested.
        let count = Int.random(in: 0...3, using: &chance)
        let lease = renderer.limitDrawings(to: count, for: seconds.map { .seconds($0) })
        leases[lastLease] = (lease, seconds.map { clock.now.advanced(by: .seconds($0)) })
        model.leases[lastLease] = count
    }

    private mutating func endALease() {
        guard let number = leases.keys.sorted().randomElement(using: &chance) else { return }
        // End it once, end it twice, or release it.
        if chance.oneIn(2) { leases[number]?.lease.end() }
        if chance.oneIn(2) { leases[number]?.lease.end() }
        leases[number] = nil
        model.leases[number] = nil
    }

    private mutating func advance() async {
        clock.advance(by: .seconds(1))
        for (number, (lease, end)) in leases {
            guard let end, end <= clock.now else { continue }
            while lease.isActive { await Task.yield() }
            model.leases[number] = nil
        }
    }

    private mutating func toggle() {
        model.isSimplySuspended.toggle()
        // Another lease may still be valid, so use the model's value and not the renderer's.
        renderer.isSuspended = model.isSimplySuspended
    }

    private mutating func finish() {
        let pending: PendingRequests = chance.oneIn(2) ? .drawn : .cancelled
        model.isClosed = true
        if pending == .cancelled { model.cancel { _, _ in true } }
        finishing.append(Task.immediate { [renderer] in await renderer.finish(pending) })
    }

    // MARK: Comparing

    private var isAsModel: Bool {
        started.entries == model.started && answers.entries.count == model.answers.count
            && renderer.isSuspended == model.isSuspended && renderer.runningCount == model.running.count
            && renderer.waitingCount == model.waiting.count
    }

    /// Waits until all expected events have happened, and checks that no others have.
    private func compare() async {
        await started.wait(for: model.started.count)
        await answers.wait(for: model.answers.count)
        // A drawing whose requests were all cancelled ends without an event.
        let deadline = ContinuousClock.now + .seconds(240)
        while renderer.runningCount > model.running.count, ContinuousClock.now < deadline { await Task.yield() }
        if isAsModel { return }
        #expect(started.entries == model.started, "seed \(seed)")
        #expect(answers.entries.count == model.answers.count, "seed \(seed)")
        #expect(renderer.isSuspended == model.isSuspended, "seed \(seed)")
        #expect(renderer.runningCount == model.running.count, "seed \(seed)")
        #expect(renderer.waitingCount == model.waiting.count, "seed \(seed)")
    }

    /// Draws everything that is left.
    private mutating func drain() async {
        leases = [:]
        model.leases = [:]
        renderer.isSuspended = false
        model.isSimplySuspended = false
        model.settle()
        await compare()
        while !model.running.isEmpty, isAsModel {
            await endADrawing()
            model.settle()
            await compare()
        }
    }

    private func compareEnd() async {
        for task in finishing { await task.value }
        await observer.value
        #expect(started.entries == model.started, "seed \(seed)")
        #expect(renderer.counters == model.counters, "seed \(seed)")
        // Each drawing ended once. Cancelling drawings in progress also shuts the engine down before the end.
        let finished = await engine.finished.entries
        #expect(finished.filter { $0 != "shut down" }.count == model.started.count, "seed \(seed)")
        #expect(finished.last == "shut down", "seed \(seed)")
        compareAnswers()
    }

    /// Checks that each request has one answer: the model's, with the request's own picture.
    private func compareAnswers() {
        #expect(answers.entries.map(\.number).sorted() == identifiers.keys.sorted(), "seed \(seed)")
        for (number, outcome) in answers.entries {
            switch outcome {
            case .success(let images):
                #expect(model.answers[number] == .some(nil), "seed \(seed), request \(number)")
                #expect(images.map(\.identifier) == [identifiers[number]], "seed \(seed)")
                #expect(images.map(\.size.width) == [widths[number]], "seed \(seed)")
            case .failure(let reason):
                #expect(model.answers[number] == reason, "seed \(seed), request \(number)")
            }
        }
    }
}
