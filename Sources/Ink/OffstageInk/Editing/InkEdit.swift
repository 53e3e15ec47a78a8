import Foundation

/// The position of an item in a document.
public struct InkPlace: Sendable, Hashable {
    /// From 0.
    public var page: Int
    /// From 0.
    public var layer: Int
    /// From 0, counted from the bottom of the layer.
    public var index: Int

    /// Makes a position.
    public init(page: Int, layer: Int, index: Int) { (self.page, self.layer, self.index) = (page, layer, index) }
}

/// A reversible change of a document. It is small: content that an edit has put into the document is not stored again.
enum InkEdit: Sendable {
    /// Inserts items, in this order.
    case insert([(InkPlace, PackedItem)])
    /// Removes items, in this order.
    case remove([InkPlace])
    /// Replaces items in place.
    case replace([(InkPlace, PackedItem)])
    /// The edits of one gesture.
    case group([InkEdit])

    /// The edit's size in memory, in bytes.
    var byteCount: Int {
        switch self {
        case .insert(let items), .replace(let items): items.reduce(64) { $0 + 40 + $1.1.byteCount }
        case .remove(let places): 64 + 24 * places.count
        case .group(let edits): edits.reduce(64) { $0 + $1.byteCount }
        }
    }
}

extension InkEdit {
    /// The marks of the items that the edit puts into the document. For removed items, use the inverse edit.
    var marks: [InkMark] {
        switch self {
        case .insert(let items), .replace(let items): items.map { InkMark($0.1.item) }
        case .remove: []
        case .group(let edits): edits.flatMap(\.marks)
        }
    }

    /// The images of its items' textures, which the packed bytes don't contain.
    var images: [InkTextureImage] {
        switch self {
        case .insert(let items), .replace(let items): items.compactMap(\.1.image)
        case .remove: []
        case .group(let edits): edits.flatMap(\.images)
        }
    }

    /// The same edit with its positions shifted within the layers.
    func shifted(by shift: Int) -> InkEdit {
        func moved(_ place: InkPlace) -> InkPlace {
            InkPlace(page: place.page, layer: place.layer, index: place.index + shift)
        }
        switch self {
        case .insert(let items): return .insert(items.map { (moved($0.0), $0.1) })
        case .replace(let items): return .replace(items.map { (moved($0.0), $0.1) })
        case .remove(let places): return .remove(places.map(moved))
        case .group(let edits): return .group(edits.map { $0.shifted(by: shift) })
        }
    }

    /// The items of an edit that only inserts; nil for any other edit.
    var insertions: [(InkPlace, PackedItem)]? {
        switch self {
        case .insert(let items): return items
        case .remove, .replace: return nil
        case .group(let edits):
            let all = edits.map(\.insertions)
            return all.contains { $0 == nil } ? nil : all.flatMap { $0 ?? [] }
        }
    }
}

/// An item in as few bytes as possible: 16 for a point without tilt.
struct PackedItem: Sendable {
    let data: Data
    /// The image of a stroke's texture. The bytes contain only its number.
    let image: InkTextureImage?

    /// - Parameter images: the textures' images.
    /// - Returns: nil if the bytes are not exactly one item.
    init?(_ data: Data, _ images: InkTextureImages) {
        var reader = RecordReader(data)
        guard let record = reader.next(), reader.isAtEnd, let item = InkRecords.item(record, images) else { return nil }
        (self.data, image) = (data, item.stroke?.texture?.image)
    }

    init(_ item: InkItem) {
        var data = Data()
        InkRecords.append(item, to: &data)
        (self.data, image) = (data, item.stroke?.texture?.image)
    }

    var byteCount: Int { data.count }

    /// The unpacked item; an empty stroke if the host's points were not numbers.
    var item: InkItem {
        var (reader, images) = (RecordReader(data), InkTextureImages())
        if let image { images.add(image) }
        return reader.next().flatMap { InkRecords.item($0, images) } ?? .stroke(Stroke([]))
    }
}

extension Ink {
    /// Applies an edit.
    ///
    /// - Returns: the inverse edit. Nil if a position does not exist; then nothing changes.
    mutating func apply(_ edit: InkEdit) -> InkEdit? {
        switch edit {
        case .insert(let items):
            var done: [InkPlace] = []
            for (place, item) in items {
                guard contains(place, inserting: true) else {
                    for place in done.reversed() { pages[place.page].layers[place.layer].items.remove(at: place.index) }
                    return nil
                }
                pages[place.page].layers[place.layer].items.insert(item.item, at: place.index)
                done.append(place)
            }
            return .remove(done.reversed())
        case .remove(let places):
            var removed: [(InkPlace, PackedItem)] = []
            for place in places {
                guard contains(place, inserting: false) else {
                    for (place, item) in removed.reversed() {
                        pages[place.page].layers[place.layer].items.insert(item.item, at: place.index)
                    }
                    return nil
                }
                let item = pages[place.page].layers[place.layer].items.remove(at: place.index)
                removed.append((place, PackedItem(item)))
            }
            return .insert(removed.reversed())
        case .replace(let items):
            guard items.allSatisfy({ contains($0.0, inserting: false) }) else { return nil }
            var old: [(InkPlace, PackedItem)] = []
            for (place, item) in items {
                old.append((place, PackedItem(self[place])))
                self[place] = item.item
            }
            return .replace(old.reversed())
        case .group(let edits):
            var inverse: [InkEdit] = []
            for edit in edits {
                guard let back = apply(edit) else {
                    for edit in inverse.reversed() { _ = apply(edit) }
                    return nil
                }
                inverse.append(back)
            }
            return .group(inverse.reversed())
        }
    }

    /// The item at a position, which must exist: see `has`.
    public internal(set) subscript(_ place: InkPlace) -> InkItem {
        get { pages[place.page].layers[place.layer].items[place.index] }
        set { pages[place.page].layers[place.layer].items[place.index] = newValue }
    }

    private func contains(_ place: InkPlace, inserting: Bool) -> Bool {
        guard pages.indices.contains(place.page), pages[place.page].layers.indices.contains(place.layer) else {
            return false
        }
        let count = pages[place.page].layers[place.layer].items.count
        return place.index >= 0 && (inserting ? place.index <= count : place.index < count)
    }
}
