/// An owner of memory that it can release.
package protocol MemoryTrimming: AnyObject, Sendable {
    /// - Parameter fraction: the fraction of its limit that it may still use; 0 releases everything.
    func trimMemory(to fraction: Double)
}

extension MemoryPressure.Level {
    /// The fraction of a cache's limits that may still be in use.
    var fraction: Double {
        switch self {
        case .some: 0.5
        case .critical: 0.1
        }
    }
}

extension MemoryCache: MemoryTrimming {
    /// Evicts half of the values when memory is short, and nine tenths when it is nearly exhausted, as long as the task
    /// runs.
    ///
    /// Has no effect if the system does not report the state of its memory.
    ///
    /// - Parameter pressure: reports that memory is short; default the system's reports. Tests pass their own.
    public func trim(on pressure: some AsyncSequence<MemoryPressure.Level, Never> & Sendable) -> Task<Void, Never> {
        Task { [weak self] in
            for await level in pressure { self?.trimMemory(to: level.fraction) }
        }
    }
}

extension Pixmap {
    /// Bytes of the pixels, including the gaps between rows.
    public var byteCount: Int { bytesPerRow * size.height }
}
