import Synchronization

/// When pictures were used, until it is written down for many at once: a hit is no write.
final class LastUse: Sendable {
    private let state = Mutex(State())

    private struct State {
        var times: [PictureKey: Int] = [:]
        var isAwaited = false
    }

    enum Due {
        case no, later, now
    }

    /// - Returns: when they should be written down: `later` for the first, `now` when there are many.
    func note(_ keys: [PictureKey], at time: Int) -> Due {
        if keys.isEmpty { return .no }
        return state.withLock { state in
            for key in keys { state.times[key] = time }
            if state.times.count >= 4096 { return .now }
            defer { state.isAwaited = true }
            return state.isAwaited ? .no : .later
        }
    }

    /// All that was noted, which is then forgotten here.
    func take() -> [PictureKey: Int] {
        state.withLock { state in
            defer { state = State() }
            return state.times
        }
    }
}
