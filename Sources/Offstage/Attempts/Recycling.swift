/// When an engine replaces a process though nothing is wrong with it: the remains of its documents must not add up without end.
///
/// The engine starts the successor first, which takes over once it is ready. A start takes 0.15 s, in which the old one goes on.
package struct Recycling: Sendable {
    /// Drawings.
    package var drawings: Int
    /// Bytes of the process's own memory. The engine looks after every 64th drawing, and after those that took long.
    package var memory: Int

    package init(drawings: Int = 2_000, memory: Int = 512 << 20) {
        self.drawings = drawings
        self.memory = memory
    }

    private static let memoryInterval = 64
    private static let longDrawing = Duration.milliseconds(200)

    /// Decides after a drawing whether a successor is to take over.
    ///
    /// - Parameters:
    ///   - count: of the process's drawings, with this one.
    ///   - time: that this drawing took.
    ///   - usesManyFonts: the process's documents used fonts in nearly as many ways as it bears.
    ///   - bytes: of the process's own memory, or nil where that is not known. Called only when it is time to look.
    package func wear(
        after count: Int, time: Duration, usesManyFonts: Bool = false, memory bytes: () -> Int?
    ) -> ProcessLife.Wear? {
        if count >= drawings { return .drawings }
        if usesManyFonts { return .fonts }
        guard count.isMultiple(of: Self.memoryInterval) || time > Self.longDrawing else { return nil }
        return (bytes() ?? 0) > memory ? .memory : nil
    }
}
