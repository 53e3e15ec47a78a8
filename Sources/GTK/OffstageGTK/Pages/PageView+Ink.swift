import OffstageInk
import OffstagePages

/// Ink over the pages.
extension PageView {
    /// Gives the canvases the positions of the pages. The variant `.plain` hides ink, too.
    func placeInk() {
        preparePen()
        for ink in [ink, penCanvas].compactMap(\.self) { place(ink) }
    }

    private func place(_ ink: InkCanvas) {
        (ink.isVisible, ink.isOverDark) = (variant != .plain, isDark)
        ink.place(
            layout.pages.map { placed in
                let (box, clip) = (placed.box, placed.clip)
                return InkPlacement(
                    page: placed.number - 1,
                    box: InkPlacement.Box(x: box.x, y: box.y, width: box.width, height: box.height),
                    clip: InkPlacement.Box(
                        x: clip.x, y: clip.y, width: clip.right - clip.x, height: clip.bottom - clip.y))
            })
    }
}
