/// The deadline of a drawing, and the grace after it, in which the engine must deliver the picture as it is.
@MainActor
final class TimeLimit {
    /// The part of the time that has passed.
    enum Event { case deadline, grace }

    /// The time after the deadline, in seconds. After that, the web process counts as hung, because it could not even
    /// report its state.
    private var grace = 0.0
    /// The maximum total of prolonged graces, as a multiple of one grace. A picture of a million px needs that.
    private static let longest = 60.0
    private var graceBegan = ContinuousClock.now
    private var timer: LoopTimer?
    private var report: ((Event) -> Void)?

    /// - Parameters:
    ///   - grace: seconds.
    ///   - report: called with `.deadline` after `seconds`, then with `.grace` after the grace, unless stopped.
    func start(seconds: Double, grace: Double, report: @escaping (Event) -> Void) {
        self.report = report
        self.grace = grace
        arm(seconds) { limit in
            limit.graceBegan = .now
            limit.startGrace()
            limit.report?(.deadline)
        }
    }

    /// Restarts a grace in progress, because the engine has shown that it is alive.
    func prolongGrace() {
        guard isInGrace, graceBegan.duration(to: .now) < .seconds(grace * Self.longest) else { return }
        startGrace()
    }

    private func startGrace() {
        isInGrace = true
        arm(grace) { $0.report?(.grace) }
    }

    func stop() {
        timer = nil
        report = nil
        isInGrace = false
    }

    private var isInGrace = false

    private func arm(_ seconds: Double, _ body: @escaping (TimeLimit) -> Void) {
        timer = LoopTimer(seconds: seconds) { [weak self] in self.map(body) }
    }
}

extension Interruption {
    /// - Parameter grace: seconds.
    init(_ event: TimeLimit.Event, grace: Double) {
        self =
            switch event {
            case .deadline: .deadline
            case .grace: .lost(.hung(seconds: grace))
            }
    }
}
