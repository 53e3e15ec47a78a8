import Foundation
import Offstage
import SeededRandom
import Testing

@testable import OffstageInk

/// Changes to a document, and undoing them.
struct EditingTests {
    private func editor(_ count: Int) -> InkEditor {
        InkEditor(Ink(pages: [InkPage(layers: [InkLayer(strokes: (0..<count).map { windingStroke($0) })])]))
    }

    /// Checks that the cached boxes equal those of the items.
    private func expectBoxes(_ editor: inout InkEditor) {
        let boxes = editor.boxes(ofPage: 0)
        #expect(boxes == editor.ink.pages[0].layers.map { $0.items.map(\.bounds) })
    }

    @Test("Undo and redo restore documents exactly, after any sequence of changes")
    func anySequence() {
        var random = SeededGenerator(seed: 25)
        var editor = editor(5)
        var states = [editor.ink]
        for step in 0..<60 {
            let before = editor.ink
            let count = editor.ink.pages[0].layers[0].items.count
            let place = InkPlace(page: 0, layer: 0, index: Int.random(in: 0..<max(1, count), using: &random))
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1: editor.add(windingStroke(step), page: 0, at: Double(step))
            case 2: editor.remove([place], at: Double(step))
            case 3: editor.transform([place], by: InkTransform(x: 3, y: 4), at: Double(step))
            default:
                editor.beginGesture()
                InkEraser.part.erase(
                    from: (40, 0), to: (40, 200), radius: 2, page: 0, in: &editor, at: Double(step))
                editor.endGesture(at: Double(step))
            }
            if editor.ink != before { states.append(editor.ink) }
            expectBoxes(&editor)
        }
        for state in states.dropLast().reversed() {
            let isDone = editor.undo()
            #expect(isDone)
            #expect(editor.ink == state)
            expectBoxes(&editor)
        }
        #expect(!editor.canUndo)
        for state in states.dropFirst() {
            let isDone = editor.redo()
            #expect(isDone)
            #expect(editor.ink == state)
        }
        #expect(!editor.canRedo)
    }

    @Test("Gestures within 150 ms are undone together")
    func pauses() {
        var editor = editor(0)
        editor.add(windingStroke(1), page: 0, at: 10)
        editor.add(windingStroke(2), page: 0, at: 10.1)
        editor.add(windingStroke(3), page: 0, at: 10.4)
        editor.undo()
        #expect(editor.ink.strokeCount == 2)
        editor.undo()
        #expect(editor.ink.strokeCount == 0)
        editor.redo()
        #expect(editor.ink.strokeCount == 2)
    }

    @Test("The history of a stroke of 60 points takes at most 1 KiB")
    func memory() {
        var editor = editor(0)
        for index in 0..<100 {
            var stroke = windingStroke(index)
            for point in stroke.points.indices { stroke.points[point].tilt = 0 }
            editor.add(stroke, page: 0, at: Double(index))
        }
        #expect(editor.historyBytes <= 100 * 128)
        for _ in 0..<100 { editor.undo() }
        #expect(editor.historyBytes <= 100 * 1_200)
        editor.redo()
        editor.historyLimit = 0
        editor.add(windingStroke(), page: 0, at: 1_000)
        #expect(!editor.canUndo)
        #expect(editor.historyBytes == 0)
    }

    @Test("An eraser splits a stroke in two along its own edge")
    func erase() throws {
        var editor = InkEditor(Ink(pages: [InkPage()]))
        editor.add(Stroke([InkPoint(x: 0, y: 50), InkPoint(x: 100, y: 50)], width: 2), page: 0)
        let changed = InkEraser.part.erase(from: (50, 40), to: (50, 60), radius: 4, page: 0, in: &editor)
        #expect(changed != nil)
        let parts = editor.ink.pages[0].strokes
        #expect(parts.count == 2)
        #expect(abs(parts[0].points.last!.x - 45) < 0.1)
        #expect(abs(parts[1].points.first!.x - 55) < 0.1)
        editor.undo()
        #expect(editor.ink.strokeCount == 1)
        let missed = InkEraser.part.erase(from: (50, 80), to: (50, 90), radius: 4, page: 0, in: &editor)
        #expect(missed == nil)
        InkEraser.highlighter.erase(from: (50, 40), to: (50, 60), radius: 4, page: 0, in: &editor)
        #expect(editor.ink.strokeCount == 1)
        InkEraser.stroke.erase(from: (50, 40), to: (50, 60), radius: 4, page: 0, in: &editor)
        #expect(editor.ink.strokeCount == 0)
    }

    @Test("An eraser touches the drawn curve, and the rest of the stroke does not move")
    func eraseCurve() throws {
        // A circle of eight samples: the curve between two samples is far from the straight line.
        let places = (0...8).map { index in
            let angle = Double(index) / 8 * 2 * .pi
            return InkPoint(x: 150 + 100 * Float(cos(angle)), y: 150 + 100 * Float(sin(angle)))
        }
        var circle = Stroke(places, width: 3)
        circle.smoothing = 1
        let part = InkPart(x: 0, y: 0, width: 600, height: 600)
        let before = draw([circle], part: part, scale: 2)
        var editor = InkEditor(Ink(pages: [InkPage()]))
        editor.add(circle, page: 0)
        // On the circle, halfway between two samples.
        let angle = Double.pi / 8
        let (x, y) = (150 + 98 * Float(cos(angle)), 150 + 98 * Float(sin(angle)))
        #expect(InkEraser.part.erase(from: (x, y), to: (x, y), radius: 3, page: 0, in: &editor) != nil)
        let after = draw(editor.ink.pages[0].strokes, part: part, scale: 2)
        var (erased, moved) = (0, 0)
        for row in 0..<600 {
            for column in 0..<600 {
                let index = 4 * (600 * row + column)
                let difference = abs(Int(before[index]) - Int(after[index]))
                let isNear = hypotf(Float(column) / 2 - x, Float(row) / 2 - y) < 9
                if difference > 24 { if isNear { erased += 1 } else { moved += 1 } }
            }
        }
        #expect(erased > 40 && moved == 0, "\(erased) \(moved)")
        #expect(editor.ink.pages[0].strokes.reduce(0) { $0 + $1.points.count } < 200)
    }

    @Test("A lasso selects strokes that are mostly inside it")
    func lasso() {
        var editor = InkEditor(Ink(pages: [InkPage()]))
        editor.add(Stroke([InkPoint(x: 10, y: 10), InkPoint(x: 20, y: 20)]), page: 0)
        editor.add(Stroke([InkPoint(x: 200, y: 10), InkPoint(x: 220, y: 20)]), page: 0)
        let corners = [(0, 0), (100, 0), (100, 100), (0, 100)].map { InkPoint(x: $0.0, y: $0.1) }
        let places = InkLasso(corners).places(in: editor.ink, page: 0)
        #expect(places == [InkPlace(page: 0, layer: 0, index: 0)])
        editor.transform(places, by: InkTransform(angle: .pi / 2, scale: 2, centerX: 10, centerY: 10))
        let moved = editor.ink.pages[0].strokes[0]
        #expect(abs(moved.points[1].x - -10) < 0.001 && abs(moved.points[1].y - 30) < 0.001)
        #expect(abs(moved.width - 2.82) < 0.001)
    }

    @Test("Records of any ink can be read back, and damaged ones are refused")
    func records() {
        var ink = editor(3).ink
        ink.pages.append(InkPage(background: .document(InkFileReference("a.pdf", isAttached: true), page: 3)))
        ink.pages[0].layers[0].items.append(
            .text(InkText(text: "ä", font: "Sans", size: 12, x: 1, y: 2, color: .black)))
        let data = InkRecords.data(of: ink)
        #expect(InkRecords.ink(data) == ink)
        for count in stride(from: 0, to: data.count, by: 7) { #expect(InkRecords.ink(data.prefix(count)) != ink) }
    }
}
