import Foundation

extension Ink {
    /// Returns the items that another program has added to a file.
    ///
    /// - Parameter base: the file before.
    /// - Returns: the file's pages and layers with only the new items, and any new pages and layers. Nil if there are
    ///   other changes: something in the base is missing, changed, or in another order.
    func additions(since base: Ink) -> Ink? {
        guard pages.count >= base.pages.count else { return nil }
        var additions = self
        for (number, old) in base.pages.enumerated() {
            let page = pages[number]
            // A page without layers is written with one.
            let layers = old.layers.isEmpty ? [InkLayer()] : old.layers
            guard page.layers.count >= layers.count, abs(page.width - old.width) < 0.01,
                abs(page.height - old.height) < 0.01, page.background == old.background
            else { return nil }
            for (index, layer) in layers.enumerated() {
                var left = layer.items[...]
                additions.pages[number].layers[index].items = page.layers[index].items.filter { item in
                    guard let next = left.first, next.isSame(as: item) else { return true }
                    left = left.dropFirst()
                    return false
                }
                if !left.isEmpty { return nil }
            }
        }
        return additions
    }

    /// The document as a save writes it, so that all positions are the same when it is read again: without strokes that
    /// have no points, and with at least one layer on each page.
    var asSaved: Ink {
        var ink = self
        for page in ink.pages.indices {
            if ink.pages[page].layers.isEmpty { ink.pages[page].layers = [InkLayer()] }
            for layer in ink.pages[page].layers.indices
            where ink.pages[page].layers[layer].items.contains(where: { $0.stroke?.points.isEmpty == true }) {
                ink.pages[page].layers[layer].items.removeAll { $0.stroke?.points.isEmpty == true }
            }
        }
        return ink
    }

    var itemCount: Int { pages.reduce(0) { $0 + $1.layers.reduce(0) { $0 + $1.items.count } } }
}

extension InkItem {
    /// True for the same item after another program has written it: numbers may have fewer digits.
    fileprivate func isSame(as other: InkItem) -> Bool {
        func near(_ one: Float, _ other: Float) -> Bool { abs(one - other) < 0.01 }
        switch (self, other) {
        case (.stroke(let one), .stroke(let other)):
            return one.tool == other.tool && one.color == other.color && one.points.count == other.points.count
                && one.fill == other.fill && near(one.width, other.width)
                && zip(one.points, other.points).allSatisfy { near($0.x, $1.x) && near($0.y, $1.y) }
        case (.text(let one), .text(let other)):
            return one.text == other.text && near(one.x, other.x) && near(one.y, other.y)
        case (.image(let one), .image(let other)):
            return one.data == other.data && near(one.left, other.left) && near(one.top, other.top)
                && near(one.right, other.right) && near(one.bottom, other.bottom)
        default: return false
        }
    }
}
