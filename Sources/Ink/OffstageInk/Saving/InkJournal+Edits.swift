import Foundation
import Offstage

/// The encoding of edits in a journal.
extension InkJournal {
    static func append(_ number: UInt32, to data: inout Data) {
        withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
    }

    /// `UInt32.max`, or the number of marks and the marks.
    static func append(_ marks: [InkMark]?, to data: inout Data) {
        append(marks.map { UInt32(clamping: $0.count) } ?? .max, to: &data)
        for mark in marks ?? [] {
            append(mark.kind.rawValue << 24 | mark.color, to: &data)
            for index in 0..<4 { append(mark.places[index].bitPattern, to: &data) }
        }
    }

    /// - Returns: nil if the bytes are not marks.
    static func marks(_ reader: inout ByteReader) -> [InkMark]?? {
        guard let count = reader.number() else { return nil }
        if count == .max { return .some(nil) }
        guard Int(count) * 20 <= reader.left else { return nil }
        var marks: [InkMark] = []
        for _ in 0..<count {
            guard let head = reader.number(), let kind = InkMark.Kind(rawValue: head >> 24) else { return nil }
            var places = SIMD4<Float>()
            for index in 0..<4 {
                guard let bits = reader.number() else { return nil }
                places[index] = Float(bitPattern: bits)
            }
            marks.append(InkMark(kind, color: head & 0xFF_FFFF, places: places))
        }
        return marks
    }

    private static func append(_ place: InkPlace, to data: inout Data) {
        for number in [place.page, place.layer, place.index] { append(UInt32(clamping: number), to: &data) }
    }

    static func append(_ edit: InkEdit, to data: inout Data) {
        func append(_ items: [(InkPlace, PackedItem)]) {
            self.append(UInt32(clamping: items.count), to: &data)
            for (place, item) in items {
                self.append(place, to: &data)
                self.append(UInt32(clamping: item.byteCount), to: &data)
                data.append(item.data)
            }
        }
        switch edit {
        case .insert(let items):
            data.append(1)
            append(items)
        case .replace(let items):
            data.append(2)
            append(items)
        case .remove(let places):
            data.append(3)
            self.append(UInt32(clamping: places.count), to: &data)
            for place in places { self.append(place, to: &data) }
        case .group(let edits):
            data.append(4)
            self.append(UInt32(clamping: edits.count), to: &data)
            for edit in edits { self.append(edit, to: &data) }
        }
    }

    /// - Parameters:
    ///   - images: the textures' images.
    ///   - depth: the nesting depth of groups, which a damaged journal could make arbitrarily large.
    static func edit(_ reader: inout ByteReader, _ images: InkTextureImages, depth: Int = 0) -> InkEdit? {
        guard depth < 8, let kind = reader.bytes(1)?.first, let count = reader.number(), Int(count) <= reader.left
        else {
            return nil
        }
        switch kind {
        case 1, 2:
            var items: [(InkPlace, PackedItem)] = []
            for _ in 0..<count {
                guard let place = place(&reader), let size = reader.number(), let bytes = reader.bytes(Int(size)),
                    let item = PackedItem(bytes, images)
                else { return nil }
                items.append((place, item))
            }
            return kind == 1 ? .insert(items) : .replace(items)
        case 3:
            var places: [InkPlace] = []
            for _ in 0..<count {
                guard let place = place(&reader) else { return nil }
                places.append(place)
            }
            return .remove(places)
        case 4:
            var edits: [InkEdit] = []
            for _ in 0..<count {
                guard let edit = edit(&reader, images, depth: depth + 1) else { return nil }
                edits.append(edit)
            }
            return .group(edits)
        default: return nil
        }
    }

    private static func place(_ reader: inout ByteReader) -> InkPlace? {
        guard let page = reader.number(), let layer = reader.number(), let index = reader.number() else { return nil }
        return InkPlace(page: Int(page), layer: Int(layer), index: Int(index))
    }
}

/// Reads numbers and bytes in order; nil at the end.
struct ByteReader {
    private let data: Data
    private(set) var position = 0

    init(_ data: Data) { self.data = data }

    var left: Int { data.count - position }

    mutating func skip(_ count: Int) { position += count }

    mutating func number() -> UInt32? {
        guard left >= 4 else { return nil }
        defer { position += 4 }
        return data.withUnsafeBytes {
            UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: UInt32.self))
        }
    }

    mutating func longNumber() -> UInt64? {
        guard let low = number(), let high = number() else { return nil }
        return UInt64(low) | UInt64(high) << 32
    }

    mutating func bytes(_ count: Int) -> Data? {
        guard count >= 0, left >= count else { return nil }
        defer { position += count }
        let start = data.startIndex + position
        return Data(data[start..<(start + count)])
    }
}
