/// A document with its history: every change can be undone. A value type.
///
/// Changes within a gesture are undone together, and so are gestures that follow each other within `pause`.
public struct InkEditor: Sendable {
    /// The document.
    public private(set) var ink: Ink
    /// The maximum size of the history in bytes. Older changes can no longer be undone. Default 64 MiB.
    public var historyLimit: Int
    /// In seconds. Gestures with a shorter pause between them are undone together. Default 0.15.
    public var pause: Double
    private var undone: [InkStep] = []
    private var done: [InkStep] = []
    /// The number of skipped steps since `takeSkipped`.
    private var skipped = 0
    private var lastTime = -Double.infinity
    /// The size of the history, in bytes.
    public private(set) var historyBytes = 0
    /// The parts of pages that have changed since `takeDirty`.
    private var dirty: [Int: InkBox] = [:]
    /// The current gesture's changes, and their inverse.
    private var gesture: [(edit: InkEdit, back: InkEdit)]?
    private var boxes = InkBoxes()
    /// The changes since `takeChanges`, for a journal; nil if they are not recorded.
    private var changes: [InkChange]?

    /// Makes an editor.
    ///
    /// - Parameters:
    ///   - ink: the document.
    ///   - historyLimit: the maximum size of the history in bytes. Default 64 MiB.
    ///   - pause: in seconds. Gestures with a shorter pause between them are undone together. Default 0.15.
    public init(_ ink: Ink, historyLimit: Int = 64 << 20, pause: Double = 0.15) {
        (self.ink, self.historyLimit, self.pause) = (ink, historyLimit, pause)
    }

    public var canUndo: Bool { !done.isEmpty }
    public var canRedo: Bool { !undone.isEmpty }

    /// Adds a stroke on top of a layer.
    ///
    /// - Parameters:
    ///   - stroke: the stroke to add.
    ///   - page: from 0.
    ///   - layer: from 0; nil, the default, for the top one.
    ///   - time: seconds on any monotonic clock. Default nil: the change is undone separately.
    /// - Returns: its position; nil if the page or layer does not exist, or if the stroke has no points or a coordinate
    ///   beyond a million.
    @discardableResult
    public mutating func add(_ stroke: Stroke, page: Int, layer: Int? = nil, at time: Double? = nil) -> InkPlace? {
        guard ink.pages.indices.contains(page), stroke.canBeStored else { return nil }
        if ink.pages[page].layers.isEmpty {
            ink.pages[page].layers.append(InkLayer())
            boxes.forget(page)
        }
        let layer = layer ?? ink.pages[page].layers.count - 1
        guard ink.pages[page].layers.indices.contains(layer) else { return nil }
        let place = InkPlace(page: page, layer: layer, index: ink.pages[page].layers[layer].items.count)
        record(.insert([(place, PackedItem(.stroke(stroke)))]), at: time)
        return place
    }

    /// Removes items.
    ///
    /// - Parameter places: the positions of the items, in any order, each once. Positions that don't exist are ignored.
    public mutating func remove(_ places: [InkPlace], at time: Double? = nil) {
        // From the top, so that the other positions stay valid.
        let order = places.sorted { ($0.page, $0.layer, $0.index) > ($1.page, $1.layer, $1.index) }
        let existing = order.filter { ink.has($0) }
        if !existing.isEmpty { record(.remove(existing), at: time) }
    }

    /// Replaces an item with others.
    ///
    /// - Parameters:
    ///   - place: the position of the old item.
    ///   - strokes: the new items, such as the remaining parts after erasing; empty to remove the item.
    public mutating func replace(_ place: InkPlace, with strokes: [Stroke], at time: Double? = nil) {
        guard ink.has(place) else { return }
        let strokes = strokes.filter(\.canBeStored)
        var edits: [InkEdit] = []
        if let first = strokes.first {
            edits.append(.replace([(place, PackedItem(.stroke(first)))]))
        } else {
            edits.append(.remove([place]))
        }
        for (offset, stroke) in strokes.dropFirst().enumerated() {
            var next = place
            next.index += offset + 1
            edits.append(.insert([(next, PackedItem(.stroke(stroke)))]))
        }
        record(.group(edits), at: time)
    }

    /// Moves, rotates or scales strokes. Other items are ignored.
    public mutating func transform(_ places: [InkPlace], by transform: InkTransform, at time: Double? = nil) {
        let items = places.filter { ink.has($0) }.compactMap { place in
            ink[place].stroke.map { $0.transformed(transform) }.flatMap { stroke in
                stroke.canBeStored ? (place, PackedItem(.stroke(stroke))) : nil
            }
        }
        if !items.isEmpty { record(.replace(items), at: time) }
    }

    /// Begins a gesture, whose changes are undone together.
    public mutating func beginGesture() { if gesture == nil { gesture = [] } }

    /// Ends a gesture.
    ///
    /// - Parameter time: seconds on the clock of the other calls.
    public mutating func endGesture(at time: Double? = nil) {
        guard let edits = gesture else { return }
        gesture = nil
        if edits.isEmpty { return }
        push(.group(edits.map(\.edit)), back: .group(edits.map(\.back).reversed()), joins: joins(at: time))
        lastTime = time ?? -.infinity
    }

    /// Undoes the last change.
    ///
    /// - Returns: false if there is nothing to undo.
    @discardableResult
    public mutating func undo() -> Bool { step(from: \.done, to: \.undone) { .undo(check: $0) } }

    /// Redoes the last undone change.
    ///
    /// - Returns: false if there is nothing to redo.
    @discardableResult
    public mutating func redo() -> Bool { step(from: \.undone, to: \.done) { .redo(check: $0) } }

    /// Applies the last step that fits. If a journal has lost a part of the history, a step could remove the wrong
    /// items; it is skipped.
    ///
    /// - Parameter check: the marks of the items that the step removes, for a step from a journal. If no step fits, all
    ///   are kept.
    private mutating func step(
        from: WritableKeyPath<InkEditor, [InkStep]>, to: WritableKeyPath<InkEditor, [InkStep]>,
        check: [InkMark]?? = .none, _ change: ([InkMark]) -> InkChange
    ) -> Bool {
        endGesture()
        var unfit: [InkStep] = []
        while let step = self[keyPath: from].popLast() {
            touch(step.edit)
            guard let back = apply(step.edit, step.marks, check ?? nil) else {
                unfit.append(step)
                continue
            }
            historyBytes -= step.byteCount
            drop(unfit)
            lastTime = -.infinity
            touch(back)
            let way = InkStep(edit: back, marks: step.edit.marks)
            historyBytes += way.byteCount
            self[keyPath: to].append(way)
            if changes != nil { changes?.append(change(back.marks)) }
            trim()
            return true
        }
        if check == nil { drop(unfit) } else { self[keyPath: from] = unfit.reversed() }
        return false
    }

    private mutating func drop(_ unfit: [InkStep]) {
        historyBytes -= unfit.reduce(0) { $0 + $1.byteCount }
        skipped += unfit.count
    }

    /// - Parameter checks: the marks of the items that the edit should remove. If the items differ, nothing changes.
    private mutating func apply(_ edit: InkEdit, _ checks: [InkMark]?...) -> InkEdit? {
        guard let back = ink.apply(edit) else { return nil }
        if checks.contains(where: { $0 != nil }) {
            let marks = back.marks
            if !checks.allSatisfy({ $0?.fit(marks) ?? true }) {
                _ = ink.apply(back)
                return nil
            }
        }
        boxes.follow(edit)
        return back
    }

    /// Puts the items that another program has added on top of their layers. They are not part of the history: undo
    /// keeps them.
    ///
    /// - Parameter additions: the document's pages and layers with only the new items, and any new pages and layers.
    mutating func merge(_ additions: Ink) {
        endGesture()
        for (number, page) in additions.pages.enumerated() {
            guard ink.pages.indices.contains(number) else {
                ink.pages.append(page)
                continue
            }
            for (index, layer) in page.layers.enumerated() {
                if !ink.pages[number].layers.indices.contains(index) {
                    ink.pages[number].layers.append(InkLayer(name: layer.name))
                }
                ink.pages[number].layers[index].items += layer.items
                for box in layer.items.compactMap(\.bounds) { dirty[number] = dirty[number]?.union(box) ?? box }
            }
            boxes.forget(number)
        }
        lastTime = -.infinity
        changes?.append(.merge(additions))
    }

    /// The `bounds` of a page's items, by layer, from bottom to top.
    ///
    /// - Parameter page: the page's index; it must exist.
    package mutating func boxes(ofPage page: Int) -> [[InkBox?]] { boxes.of(page, in: ink) }

    /// Applies an edit, and records its inverse.
    private mutating func record(_ edit: InkEdit, at time: Double?) {
        touch(edit)
        guard let back = apply(edit) else { return }
        if gesture != nil {
            gesture?.append((edit, back))
        } else {
            push(edit, back: back, joins: joins(at: time))
            lastTime = time ?? -.infinity
        }
    }

    /// The parts of pages that have changed since the last call, in points, by page index.
    public mutating func takeDirty() -> [Int: InkBox] {
        defer { dirty = [:] }
        return dirty
    }

    /// Records what an edit will change. Items that it removes or replaces are still present.
    private mutating func touch(_ edit: InkEdit) {
        func add(_ item: InkItem, _ page: Int) {
            guard let box = item.bounds else { return }
            dirty[page] = dirty[page]?.union(box) ?? box
        }
        switch edit {
        case .insert(let items): for (place, item) in items { add(item.item, place.page) }
        case .replace(let items):
            for (place, item) in items {
                add(item.item, place.page)
                if ink.has(place) { add(ink[place], place.page) }
            }
        case .remove(let places): for place in places where ink.has(place) { add(ink[place], place.page) }
        case .group(let edits): for edit in edits { touch(edit) }
        }
    }

    private func joins(at time: Double?) -> Bool {
        guard let time else { return false }
        return time - lastTime < pause && !done.isEmpty && undone.isEmpty
    }

    private mutating func push(_ edit: InkEdit, back: InkEdit, joins: Bool) {
        historyBytes -= undone.reduce(0) { $0 + $1.byteCount }
        undone = []
        if joins, let last = done.popLast() {
            historyBytes -= last.byteCount
            done.append(InkStep(edit: last.edit.following(back), marks: last.marks.map { $0 + edit.marks }))
        } else {
            done.append(InkStep(edit: back, marks: edit.marks))
        }
        historyBytes += done[done.count - 1].byteCount
        if changes != nil { changes?.append(.edit(edit, joins: joins, check: back.marks)) }
        trim()
    }

    private mutating func trim() {
        var count = 0
        while historyBytes > historyLimit, count < done.count {
            historyBytes -= done[count].byteCount
            count += 1
        }
        done.removeFirst(count)
    }
}

/// A step of an editor, as stored in a journal. `check` contains the marks of the items that the step removes; nil if
/// unknown.
enum InkChange: Sendable {
    /// With `joins`, it is undone together with the previous one.
    case edit(InkEdit, joins: Bool, check: [InkMark]?)
    case undo(check: [InkMark]?)
    case redo(check: [InkMark]?)
    /// Items that another program has added to the file: see `InkEditor.merge`.
    case merge(Ink)
}

extension InkEditor {
    /// The changes since the last call, for a journal. A gesture counts when it ends.
    mutating func takeChanges() -> [InkChange] {
        let taken = changes ?? []
        changes = []
        return taken
    }

    /// The number of steps that `undo` and `redo` have skipped since the last call, because the document lacks the
    /// items that they would remove.
    mutating func takeSkipped() -> Int {
        defer { skipped = 0 }
        return skipped
    }

    /// The undo and redo steps, oldest first.
    var history: (done: [InkStep], undone: [InkStep]) { (done, undone) }

    /// Restores the history of an earlier run.
    mutating func restore(done: [InkStep], undone: [InkStep]) {
        (self.done, self.undone) = (done, undone)
        historyBytes = (done + undone).reduce(0) { $0 + $1.byteCount }
        trim()
    }

    /// Applies a change from an earlier run again.
    ///
    /// - Returns: false if the change does not fit the document.
    mutating func replay(_ change: InkChange) -> Bool {
        switch change {
        case .undo(let check): return step(from: \.done, to: \.undone, check: check) { .undo(check: $0) }
        case .redo(let check): return step(from: \.undone, to: \.done, check: check) { .redo(check: $0) }
        case .merge(let additions):
            merge(additions)
            return true
        case .edit(let edit, let joins, let check):
            // A lost change before this one may have shifted its positions.
            for shift in [0, -1, 1, -2, 2, -3, 3, -4, 4] {
                let moved = shift == 0 ? edit : edit.shifted(by: shift)
                guard let back = apply(moved, check) else { continue }
                push(moved, back: back, joins: joins && !done.isEmpty)
                return true
            }
            return addAgain(edit)
        }
    }

    /// Restores the items that an edit only adds on top of its layers, if their positions no longer exist. A stroke in
    /// a different order is better than none.
    private mutating func addAgain(_ edit: InkEdit) -> Bool {
        guard let items = edit.insertions else { return false }
        var moved: [(InkPlace, PackedItem)] = []
        var counts: [InkPlace: Int] = [:]
        for (place, item) in items where ink.pages.indices.contains(place.page) {
            guard ink.pages[place.page].layers.indices.contains(place.layer) else { continue }
            let layer = InkPlace(page: place.page, layer: place.layer, index: 0)
            let count = counts[layer] ?? ink.pages[place.page].layers[place.layer].items.count
            counts[layer] = count + 1
            moved.append((InkPlace(page: place.page, layer: place.layer, index: count), item))
        }
        guard !moved.isEmpty, let back = apply(.insert(moved)) else { return false }
        push(.insert(moved), back: back, joins: false)
        return true
    }
}

extension InkEdit {
    /// The edit that first reverses a later change, and then this one.
    fileprivate func following(_ later: InkEdit) -> InkEdit {
        let these = if case .group(let edits) = self { edits } else { [self] }
        let others = if case .group(let edits) = later { edits } else { [later] }
        return .group(others + these)
    }
}

extension InkItem {
    /// The bounds of everything that the item can draw; nil for nothing.
    public var bounds: InkBox? {
        switch self {
        case .stroke(let stroke): stroke.bounds
        case .text: nil
        case .image(let image): InkBox(left: image.left, top: image.top, right: image.right, bottom: image.bottom)
        }
    }
}

extension Ink {
    /// True if the position has an item.
    public func has(_ place: InkPlace) -> Bool {
        pages.indices.contains(place.page) && pages[place.page].layers.indices.contains(place.layer)
            && pages[place.page].layers[place.layer].items.indices.contains(place.index)
    }
}
