import Foundation
import Offstage
import Testing

@testable import OffstageInk

/// Undo after a restart, even with a damaged journal.
struct HistoryTests {
    private func windings(_ opened: InkFile.Opened) -> [Float] {
        opened.editor.ink.pages.flatMap(\.strokes).compactMap(\.points.first?.y)
    }

    @Test("Undo after a restart removes the recorded strokes, even if a save turned curves into straight lines")
    func savedCurves() async throws {
        let folder = try InkFolder()
        var opened = try await folder.open()
        for number in 0..<3 {
            var stroke = windingStroke(number)
            (stroke.smoothing, stroke.dynamics, stroke.tool) = (0.75, .pressure, [.pen, .pencil, .marker][number])
            opened.editor.add(stroke, page: 0)
        }
        opened.editor.remove([InkPlace(page: 0, layer: 0, index: 1)])
        opened.file.append(from: &opened.editor)
        await opened.save()
        // Removed after the save, so the journal must find it in the file again.
        opened.editor.remove([InkPlace(page: 0, layer: 0, index: 0)])
        opened.file.append(from: &opened.editor)
        await opened.file.synchronize()
        let rest = windings(opened)
        try folder.kill()
        var again = try await folder.open()
        #expect(again.warnings.isEmpty)
        #expect(again.editor.ink.strokeCount == 1 && abs(windings(again)[0] - rest[0]) < 0.01)
        for count in [2, 3, 2, 1, 0] {
            let isUndone = again.editor.undo()
            #expect(isUndone && again.editor.ink.strokeCount == count)
        }
        let isMore = again.editor.undo()
        #expect(!isMore)
        for count in [1, 2, 3, 2, 1] {
            let isRedone = again.editor.redo()
            #expect(isRedone && again.editor.ink.strokeCount == count)
        }
        again.file.append(from: &again.editor)
        await again.file.close()
        #expect(!folder.events.contains { $0.hasPrefix("skipped") })
        await folder.engine.shutDown()
    }

    @Test("A step that would remove another stroke is skipped with an event, whichever byte of the history is damaged")
    func damagedHistory() async throws {
        let folder = try InkFolder()
        var opened = try await folder.open()
        opened.draw(0..<3)
        opened.editor.remove([InkPlace(page: 0, layer: 0, index: 0)])
        opened.file.append(from: &opened.editor)
        await opened.save()
        await opened.file.close()
        let journal = try #require(
            folder.contents.first { $0.key.hasSuffix(".offstage-journal") || $0.key.hasSuffix("journal-2") })
        // Damages each entry of the history in turn.
        var starts: [Int] = []
        var from = 0
        while let range = journal.value.range(of: InkJournal.marker, in: from..<journal.value.count) {
            starts.append(range.lowerBound)
            from = range.upperBound
        }
        #expect(starts.count == 5)
        var skipped = 0
        for start in starts.dropFirst() {
            var damaged = journal.value
            damaged[start + InkJournal.headerSize + 1] ^= 4
            try folder.kill()
            try damaged.write(to: folder.folder.appendingPathComponent(journal.key))
            var again = try await folder.open()
            #expect(again.numbers == [1, 2])
            var numbers: [Set<Int>] = [[1, 2]]
            while again.editor.undo() { numbers.append(Set(again.numbers)) }
            again.file.append(from: &again.editor)
            // Without the entry, the other steps are undone or skipped, and no other stroke is removed.
            let (known, last) = (numbers.dropLast(), Set(again.numbers))
            #expect(known.allSatisfy { $0.isSubset(of: [0, 1, 2]) } && last.isSubset(of: [0, 1, 2]))
            for (before, after) in zip(numbers, numbers.dropFirst()) {
                #expect(before.symmetricDifference(after).count == 1, "\(numbers)")
            }
            // Only the newest strokes are removed, and the removed stroke returns once.
            let order = zip(numbers, numbers.dropFirst()).compactMap { $0.subtracting($1).first }
            #expect(order == order.sorted(by: >), "\(numbers)")
            skipped += folder.events.count { $0.hasPrefix("skipped") }
            await again.file.close()
        }
        #expect(skipped > 0)
        await folder.engine.shutDown()
    }
}
