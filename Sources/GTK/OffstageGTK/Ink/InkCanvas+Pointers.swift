import CGTK
import Foundation
import Offstage
import OffstageGLib
import OffstageInk

/// A sample of a device, as GDK reports it.
struct InkSample {
    /// GTK px of the widget.
    var x: Double
    var y: Double
    /// 0 to 1; nil for a device without pressure.
    var pressure: Double?
    /// -1 to 1.
    var tiltX = 0.0
    var tiltY = 0.0
    /// Milliseconds of the display server's clock.
    var time: UInt32
}

/// A pen, a mouse or a finger that is down.
@MainActor
struct InkPointer {
    var mode: InkCanvas.Mode
    var stroke: Stroke
    var modeler: InkModeler
    var start: UInt32
    /// GTK px of the widget.
    var last: (x: Double, y: Double)
    var extra: [InkPoint] = []
    /// The part of the page, in points, where the live sheet shows the unfinished end of the stroke.
    var dirty: InkBox?
    var isMovingSelection = false
    /// Withdraws the predicted end when the pen rests.
    var rest: LoopTimer?
}

extension InkCanvas {
    /// Begins the action of a device that goes down.
    ///
    /// - Parameter identifier: the identifier of the device or of the finger.
    func begin(_ identifier: Int, _ sample: InkSample, mode: Mode) {
        cancel(identifier)
        if isOpening, mode != .move { return }
        let (x, y) = pagePoint(x: sample.x, y: sample.y)
        var pointer = InkPointer(
            mode: mode, stroke: brush.stroke, modeler: InkModeler(stabilizer: brush.stabilizer), start: sample.time,
            last: (sample.x, sample.y))
        // Each stroke has its own jitter.
        pointer.stroke.texture?.seed = .random(in: 0...UInt32.max)
        switch mode {
        case .draw, .move: break
        case .erase: editor.beginGesture()
        case .lasso:
            if let box = selectionBox, box.left...box.right ~= x, box.top...box.bottom ~= y {
                pointer.isMovingSelection = true
            } else {
                selection = []
                lassoOutline = [InkPoint(x: x, y: y)]
            }
        }
        pointers[identifier] = pointer
        if mode == .draw, leaf.live == nil, let below = leaf.sheet(for: brush.stroke) {
            let live = InkSheet(size: below.size, plane: below.plane)
            live.copy(below.whole(at: place), from: below, at: place)
            leaf.live = (live, below)
        }
        move(identifier, sample)
    }

    /// Continues the action of a device that is down and moves.
    func move(_ identifier: Int, _ sample: InkSample) {
        guard var pointer = pointers[identifier] else { return }
        let (x, y) = pagePoint(x: sample.x, y: sample.y)
        let from = pagePoint(x: pointer.last.x, y: pointer.last.y)
        switch pointer.mode {
        case .draw:
            draw(point(sample, since: pointer.start), with: &pointer)
            if !pointer.extra.isEmpty {
                pointer.rest = LoopTimer(seconds: Self.rest) { [weak self] in self?.withdrawPrediction(identifier) }
            }
        case .erase(let eraser, let radius):
            eraser.erase(from: from, to: (x, y), radius: radius, page: page, in: &editor)
            noteErased()
        case .lasso where pointer.isMovingSelection:
            editor.beginGesture()
            editor.transform(selection, by: InkTransform(x: x - from.x, y: y - from.y))
            noteErased()
        case .lasso:
            lassoOutline.append(InkPoint(x: x, y: y))
            gtk_widget_queue_draw(area)
        case .move:
            let scale = Double(deviceScale)
            let (dx, dy) = ((pointer.last.x - sample.x) * scale, (pointer.last.y - sample.y) * scale)
            // Scrolling drops the stroke in progress, and this pointer with it.
            scroll(x: dx, y: dy)
        }
        pointer.last = (sample.x, sample.y)
        pointers[identifier] = pointer
    }

    /// Ends the action of a device that goes up.
    func end(_ identifier: Int, _ sample: InkSample) {
        guard var pointer = pointers.removeValue(forKey: identifier) else { return }
        let time = Double(sample.time) / 1000
        switch pointer.mode {
        case .draw:
            if let point = pointer.modeler.finish() { pointer.stroke.points.append(point) }
            if !pointer.stroke.points.isEmpty, editor.add(pointer.stroke, page: page, at: time) != nil {
                noteAdded(pointer.stroke)
            }
        case .erase:
            editor.endGesture(at: time)
            noteChange()
        case .lasso:
            if pointer.isMovingSelection {
                editor.endGesture()
                noteChange()
            } else {
                selection = InkLasso(lassoOutline).places(in: editor.ink, page: page)
                lassoOutline = []
                gtk_widget_queue_draw(area)
            }
        case .move: break
        }
        dropLive(pointer)
    }

    /// Drops the stroke in progress of a device.
    func cancel(_ identifier: Int) {
        guard let pointer = pointers.removeValue(forKey: identifier) else { return }
        if case .erase = pointer.mode {
            editor.endGesture()
            noteChange()
        }
        if pointer.isMovingSelection { editor.endGesture() }
        lassoOutline = []
        dropLive(pointer)
    }

    func cancelStrokes() {
        for identifier in pointers.keys where pointers[identifier]?.mode != .move { cancel(identifier) }
    }

    private func point(_ sample: InkSample, since start: UInt32) -> InkPoint {
        let (x, y) = pagePoint(x: sample.x, y: sample.y)
        // Half of the maximum pressure is nominal.
        let pressure = sample.pressure.map { Float(min(max($0, 0), 1)) * 2 } ?? 1
        let lean = min(hypot(sample.tiltX, sample.tiltY), 1) * .pi / 2
        return InkPoint(
            x: x, y: y, pressure: pressure, tilt: Float(lean),
            azimuth: lean > 0 ? Float(atan2(sample.tiltY, sample.tiltX)) : 0,
            time: Float(sample.time &- start) / 1000)
    }

    /// Adds a point to a stroke and draws the part that it changes, and no other.
    private func draw(_ sample: InkPoint, with pointer: inout InkPointer) {
        guard let point = pointer.modeler.add(sample) else { return }
        pointer.stroke.points.append(point)
        pointer.extra = predicts ? pointer.modeler.prediction() : []
        var stroke = pointer.stroke
        let first = max(0, stroke.points.count - 2)
        stroke.points += pointer.extra
        // The end of a taper moves with the pen.
        let isLocal = stroke.taperEnd == 0 && stroke.dash.isEmpty && stroke.fill == 0
        guard let tail = isLocal ? stroke.bounds(from: first) : stroke.bounds else { return }
        let box = pointer.dirty?.union(tail) ?? tail
        pointer.dirty = tail
        guard let (live, below) = leaf.live else { return }
        let part = box.part(scale: place.scale)
        live.copy(part, from: below, at: place)
        for other in pointers.values where other.mode == .draw && other.start != pointer.start {
            live.add(other.stroke, part: part, at: place, isDark: content.isDark)
        }
        live.add(stroke, part: part, at: place, isDark: content.isDark)
        queueDraw(part, of: leaf)
    }

    /// A pen that has not moved for this many seconds is at rest, and its predicted points are dropped.
    private static let rest = 0.04

    private func withdrawPrediction(_ identifier: Int) {
        guard var pointer = pointers[identifier], !pointer.extra.isEmpty else { return }
        pointer.extra = []
        pointer.rest = nil
        if let tail = pointer.dirty {
            let part = tail.part(scale: place.scale)
            pointer.dirty = pointer.stroke.bounds(from: max(0, pointer.stroke.points.count - 2))
            pointers[identifier] = pointer
            refreshLive(part)
            queueDraw(part, of: leaf)
        } else {
            pointers[identifier] = pointer
        }
    }

    /// Updates the live sheet after the sheet below it has changed.
    func refreshLive(_ part: InkPart) {
        guard let (live, below) = leaf.live else { return }
        live.copy(part, from: below, at: place)
        for pointer in pointers.values where pointer.mode == .draw {
            live.add(pointer.stroke, extra: pointer.extra, part: part, at: place, isDark: content.isDark)
        }
    }

    private func noteErased() {
        let dirty = editor.takeDirty()
        if dirty.isEmpty { return }
        redraw(dirty)
        gtk_widget_queue_draw(area)
    }

    /// Removes a pointer's stroke from the live sheet. Without other strokes in progress, the sheet below is shown.
    private func dropLive(_ pointer: InkPointer) {
        if pointer.mode != .draw { return }
        let part = pointer.stroke.bounds?.grown(by: 30).part(scale: place.scale)
        if pointers.values.contains(where: { $0.mode == .draw }) {
            if let part { refreshLive(part) }
        } else {
            leaf.live = nil
        }
        if let part { queueDraw(part, of: leaf) }
    }
}
