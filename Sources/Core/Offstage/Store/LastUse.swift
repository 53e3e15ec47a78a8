import Synchronization

/// The times at which pictures were used, until the store writes many of them at once: a hit writes nothing.
final class LastUse: Sendable {
    /// Milliseconds. A use within this time of the last one is not recorded, so that constant use does not cause
    /// constant writes.
    private let resolution: Int
    private let state = Mutex(State())

    private struct State {
        var times: [PictureKey: Int] = [:]
        var isAwaited = false
    }

    /// - Parameter resolution: the resolution of the times, in seconds.
    init(resolution: Double) { self.resolution = Int(resolution * 1000) }

    enum Due {
        case no, later, now
    }

    /// - Returns: when to write the uses: `later` for the first one, `now` if there are many.
    func note(_ keys: [PictureKey], at time: Int) -> Due {
        if keys.isEmpty { return .no }
        return state.withLock { state in
            for key in keys { state.times[key] = time }
            if state.times.count >= 4096 { return .now }
            defer { state.isAwaited = true }
            return state.isAwaited ? .no : .later
        }
    }

    /// Discards all uses without writing them.
    func clear() { state.withLock { $0 = State() } }

    /// Writes all uses into the database, and discards them here.
    func write(to database: Database) throws(SQLiteError) {
        let times = state.withLock { state in
            defer { state = State() }
            return state.times
        }
        if times.isEmpty { return }
        try database.transaction(.write) { () throws(SQLiteError) in
            for (key, time) in times {
                try database.run(
                    "UPDATE picture SET used = ? WHERE identifier = ? AND variant = ? AND part = ? AND used < ?",
                    .integer(time), .text(key.identifier), .text(key.variant), .integer(key.part ?? 0),
                    .integer(time - resolution))
            }
        }
    }
}
