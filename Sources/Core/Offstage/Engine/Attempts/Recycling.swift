/// The conditions for replacing a healthy process, so that leftovers of its documents do not accumulate.
///
/// The engine first starts the successor, which takes over once it is ready. A start takes 0.15 s; the old process
/// keeps working until then.
package struct Recycling: Sendable {
    /// The maximum number of drawings.
    package var drawings: Int
    /// The maximum number of bytes of the process's own memory. The engine checks this after every 64th drawing, and
    /// after slow ones.
    package var memory: Int

    package init(drawings: Int = 2_000, memory: Int = 512 << 20) {
        self.drawings = drawings
        self.memory = memory
    }

    private static let memoryInterval = 64
    private static let longDrawing = Duration.milliseconds(200)

    /// Decides after a drawing whether a successor must replace the process.
    ///
    /// - Parameters:
    ///   - count: the number of the process's drawings, including this one.
    ///   - time: the duration of this drawing.
    ///   - usesManyFonts: true if the process's documents have used fonts in nearly as many ways as it supports.
    ///   - looksAlways: true if a check of the memory is always due.
    ///   - bytes: returns the bytes of the process's own memory, or nil if unknown. Called only when a check is due.
    package func wear(
        after count: Int, time: Duration, usesManyFonts: Bool = false, looksAlways: Bool = false,
        memory bytes: () -> Int?
    ) -> ProcessLife.Wear? {
        if count >= drawings { return .drawings }
        if usesManyFonts { return .fonts }
        guard looksAlways || count.isMultiple(of: Self.memoryInterval) || time > Self.longDrawing else { return nil }
        return (bytes() ?? 0) > memory ? .memory : nil
    }
}
