import COffstageInk
import Foundation

/// Assembles a document from records that arrive in pieces of any size.
struct InkRecordStream {
    private var rest = Data()
    private var hasBegun = false
    private var isDamaged = false
    private(set) var ink = Ink(pages: [])
    private var images = InkTextureImages()
    /// The pages and items that were read since `takeSlice`.
    private var slice: InkSlice?
    private let makesSlices: Bool

    init(makesSlices: Bool = false) { self.makesSlices = makesSlices }

    /// Adds bytes.
    ///
    /// - Returns: false for bytes that are not a document's records.
    mutating func append(_ bytes: Data) -> Bool {
        rest.append(bytes)
        if !hasBegun {
            guard rest.count >= InkRecords.magic.count else { return true }
            isDamaged = !rest.starts(with: InkRecords.magic)
            rest = Data(rest.dropFirst(InkRecords.magic.count))
            hasBegun = true
        }
        var reader = RecordReader(rest)
        while !isDamaged, let record = reader.next() { if !add(record) { isDamaged = true } }
        rest = Data(reader.rest)
        return !isDamaged
    }

    /// The document; nil if it is damaged or incomplete.
    var finished: Ink? { !isDamaged && hasBegun && rest.isEmpty && !ink.pages.isEmpty ? ink : nil }

    /// The pages and items since the last call; nil if there are fewer items than requested.
    mutating func takeSlice(ofAtLeast count: Int) -> InkSlice? {
        guard let slice, slice.itemCount >= count else { return nil }
        self.slice = nil
        return slice
    }

    private mutating func add(_ record: RecordReader.Record) -> Bool {
        if record.kind == OFFSTAGE_INK_PAGE.rawValue {
            guard let page = InkRecords.page(record.bytes) else { return false }
            ink.pages.append(page)
            return true
        }
        if record.kind == OFFSTAGE_INK_MASK.rawValue { return images.add(record.bytes) }
        guard let last = ink.pages.indices.last else { return false }
        if record.kind == OFFSTAGE_INK_LAYER.rawValue {
            let name = String(decoding: record.bytes, as: UTF8.self)
            ink.pages[last].layers.append(InkLayer(name: name.isEmpty ? nil : name))
            return true
        }
        guard let layer = ink.pages[last].layers.indices.last, let item = InkRecords.item(record, images)
        else { return false }
        ink.pages[last].layers[layer].items.append(item)
        if makesSlices { note(item, page: last) }
        return true
    }

    private mutating func note(_ item: InkItem, page number: Int) {
        var slice = self.slice ?? InkSlice()
        self.slice = nil
        if slice.pages.last?.number != number {
            var page = ink.pages[number]
            page.layers = []
            slice.pages.append(InkSlice.Page(number: number, page: page))
        }
        slice.pages[slice.pages.count - 1].items.append(item)
        slice.pages[slice.pages.count - 1].boxes.append(item.bounds)
        self.slice = slice
    }
}

/// The next part of a document that is being read.
public struct InkSlice: Sendable {
    /// Newly received items of a page.
    public struct Page: Sendable {
        /// From 0.
        public var number: Int
        /// The page without layers.
        public var page: InkPage
        /// From bottom to top, above those of earlier slices.
        public var items: [InkItem] = []
        /// The `bounds` of the items.
        public var boxes: [InkBox?] = []
    }

    /// True if the document is read again, and earlier slices are void.
    public var isFirst = false
    /// In order.
    public var pages: [Page] = []

    var itemCount: Int { pages.reduce(0) { $0 + $1.items.count } }
}
