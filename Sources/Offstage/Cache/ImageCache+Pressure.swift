extension ImageCache {
    /// Lets go of half when memory is short, of nine tenths when it is nearly gone, as long as the task runs.
    ///
    /// Nothing happens where the system tells nothing of its memory.
    ///
    /// - Parameter pressure: what tells of it; default the system's. Tests bring their own.
    public func trim(on pressure: some AsyncSequence<MemoryPressure.Level, Never> & Sendable) -> Task<Void, Never> {
        Task { [weak self] in
            for await level in pressure {
                switch level {
                case .some: self?.trimMemory(to: 0.5)
                case .critical: self?.trimMemory(to: 0.1)
                }
            }
        }
    }
}

extension Pixmap {
    /// Bytes that the pixels take, with what lies between the rows.
    public var byteCount: Int { bytesPerRow * size.height }
}
