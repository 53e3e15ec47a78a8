/// Updates a view's slots before a frame, if anything has changed since the last one.
@MainActor
final class FrameUpdates {
    private let canvas: Canvas
    /// True if items, heights or the position have changed since slots were last assigned.
    private(set) var isDue = true
    /// True if items passed too fast to be requested.
    private(set) var isLookDue = false

    init(_ canvas: Canvas) { self.canvas = canvas }

    /// Updates slots before the next frame.
    func request() {
        isDue = true
        canvas.queueUpdate()
    }

    /// Looks at the items again in the next frame, because this frame's items passed too fast.
    func postponeLook() {
        isLookDue = true
        canvas.queueUpdate()
    }

    func beginFrame() {
        if isLookDue { isDue = true }
        isLookDue = false
    }

    /// Calls `update` if one is due. An update may require another one: a picture from the cache may be lower than
    /// estimated, which makes room for another item.
    func run(_ update: () -> Void) {
        for _ in 0..<4 where isDue {
            isDue = false
            update()
        }
        if isDue { canvas.queueUpdate() }
    }
}
