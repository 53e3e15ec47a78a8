import OffstageGLib

/// Rows that are shown live because their pictures are missing.
extension PictureList {
    /// Waits until the list is at rest, and then makes the missing rows live.
    func showMissingLive() {
        guard !isScrolling, missingTimer == nil, slots.window.visible.contains(where: isMissing) else { return }
        missingTimer = LoopTimer(seconds: 0.15) { [weak self] in
            guard let self else { return }
            missingTimer = nil
            if isScrolling { return }
            for row in slots.window.visible where isMissing(row) { live.begin(row, isUntilPicture: true) }
        }
    }

    private func isMissing(_ row: Int) -> Bool {
        row < layout.count && slots[row].map { $0.picture?.quality != .full } ?? false
            && source.isLiveWithoutPicture(at: row)
    }
}
