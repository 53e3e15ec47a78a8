/// What holds memory that it can do without.
package protocol MemoryTrimming: AnyObject, Sendable {
    /// - Parameter fraction: of what it may hold, to be left; 0 for nothing.
    func trimMemory(to fraction: Double)
}

extension MemoryPressure.Level {
    /// What may be left of a cache's limits.
    var fraction: Double {
        switch self {
        case .some: 0.5
        case .critical: 0.1
        }
    }
}

extension ImageCache: MemoryTrimming {
    /// Lets go of half when memory is short, of nine tenths when it is nearly gone, as long as the task runs.
    ///
    /// Nothing happens where the system tells nothing of its memory.
    ///
    /// - Parameter pressure: what tells of it; default the system's. Tests bring their own.
    public func trim(on pressure: some AsyncSequence<MemoryPressure.Level, Never> & Sendable) -> Task<Void, Never> {
        Task { [weak self] in
            for await level in pressure { self?.trimMemory(to: level.fraction) }
        }
    }
}

extension Pixmap {
    /// Bytes that the pixels take, with what lies between the rows.
    public var byteCount: Int { bytesPerRow * size.height }
}
