/// The bounds of a document's items, by page and layer. The bounds of a page are computed on first use and then updated
/// with each edit. An eraser that moves over 20,000 strokes can therefore check their boxes instead of their points.
struct InkBoxes: Sendable {
    private var pages: [Int: [[InkBox?]]] = [:]

    /// - Parameter number: the index of an existing page.
    mutating func of(_ number: Int, in ink: Ink) -> [[InkBox?]] {
        if let known = pages[number] { return known }
        let boxes = ink.pages[number].layers.map { $0.items.map(\.bounds) }
        pages[number] = boxes
        return boxes
    }

    /// Call this after a layer was added to a page.
    mutating func forget(_ number: Int) { pages[number] = nil }

    /// Call this after an edit was applied to the document.
    mutating func follow(_ edit: InkEdit) {
        switch edit {
        case .insert(let items):
            for (place, item) in items where pages[place.page] != nil {
                pages[place.page]?[place.layer].insert(item.item.bounds, at: place.index)
            }
        case .remove(let places):
            for place in places where pages[place.page] != nil {
                pages[place.page]?[place.layer].remove(at: place.index)
            }
        case .replace(let items):
            for (place, item) in items where pages[place.page] != nil {
                pages[place.page]?[place.layer][place.index] = item.item.bounds
            }
        case .group(let edits): for edit in edits { follow(edit) }
        }
    }
}
