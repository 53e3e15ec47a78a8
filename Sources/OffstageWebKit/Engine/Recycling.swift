/// When a web process is replaced though nothing is wrong with it: what stays behind in it does not add up without an end.
///
/// Its successor is started first and takes over once it is ready: starting takes 0.15 s, in which the old one goes on.
package struct Recycling: Sendable {
    /// Drawings.
    package var drawings: Int
    /// Bytes of its own memory, looked at after every 64th drawing and after those that took long.
    package var memory: Int

    package init(drawings: Int = 2_000, memory: Int = 512 << 20) {
        self.drawings = drawings
        self.memory = memory
    }

    static let memoryInterval = 64
    static let longDrawing = Duration.milliseconds(200)
}
