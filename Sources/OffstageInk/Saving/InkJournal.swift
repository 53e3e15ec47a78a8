import COffstageInk
import Foundation
import Offstage

/// The form of a journal: what was changed since a file was written, and the way back before that.
///
/// A journal belongs to one state of the file, by its digest: `magic`, the digest, then entries. An entry is its length, a checksum
/// and a body. What a killed program left unfinished at the end does not count.
enum InkJournal {
    private static let magic = Data("offjrnl1".utf8)

    enum Entry {
        case change(InkChange)
        /// Of the history before the file was written, oldest first.
        case done(InkEdit)
        case undone(InkEdit)
    }

    /// The beginning of a journal for a state of a file.
    static func head(for digest: Digest) -> Data { magic + digest.withBytes { Data($0) } }

    /// The bytes of an entry.
    static func data(of entry: Entry) -> Data {
        var body = Data()
        switch entry {
        case .change(.edit(let edit, let joins)):
            body.append(joins ? 2 : 1)
            append(edit, to: &body)
        case .change(.undo): body.append(3)
        case .change(.redo): body.append(4)
        case .done(let edit):
            body.append(5)
            append(edit, to: &body)
        case .undone(let edit):
            body.append(6)
            append(edit, to: &body)
        }
        var data = Data()
        append(UInt32(clamping: body.count), to: &data)
        append(checksum(body), to: &data)
        return data + body
    }

    /// Reads a journal.
    ///
    /// - Parameter digest: of the file. A journal of another state is nil.
    /// - Returns: the entries, and the bytes that they take: what follows is unfinished.
    static func read(_ data: Data, for digest: Digest) -> (entries: [Entry], length: Int)? {
        let head = head(for: digest)
        guard data.starts(with: head) else { return nil }
        var reader = ByteReader(data)
        reader.skip(head.count)
        var (entries, length): ([Entry], Int) = ([], head.count)
        while let size = reader.number(), let sum = reader.number(), let body = reader.bytes(Int(size)),
            checksum(body) == sum, let entry = entry(body)
        {
            entries.append(entry)
            length = reader.position
        }
        return (entries, length)
    }

    private static func checksum(_ body: Data) -> UInt32 {
        Digest(of: body).withBytes { $0.loadUnaligned(as: UInt32.self) }
    }

    private static func entry(_ body: Data) -> Entry? {
        var reader = ByteReader(body)
        guard let kind = reader.bytes(1)?.first else { return nil }
        switch kind {
        case 1, 2: return edit(&reader).map { .change(.edit($0, joins: kind == 2)) }
        case 3: return .change(.undo)
        case 4: return .change(.redo)
        case 5: return edit(&reader).map { .done($0) }
        case 6: return edit(&reader).map { .undone($0) }
        default: return nil
        }
    }

    private static func append(_ number: UInt32, to data: inout Data) {
        withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
    }

    private static func append(_ place: InkPlace, to data: inout Data) {
        for number in [place.page, place.layer, place.index] { append(UInt32(clamping: number), to: &data) }
    }

    private static func append(_ edit: InkEdit, to data: inout Data) {
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

    /// - Parameter depth: of groups in groups; a damaged journal could have any.
    private static func edit(_ reader: inout ByteReader, depth: Int = 0) -> InkEdit? {
        guard depth < 8, let kind = reader.bytes(1)?.first, let count = reader.number(), Int(count) <= reader.left
        else {
            return nil
        }
        switch kind {
        case 1, 2:
            var items: [(InkPlace, PackedItem)] = []
            for _ in 0..<count {
                guard let place = place(&reader), let size = reader.number(), let bytes = reader.bytes(Int(size)),
                    let item = PackedItem(bytes)
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
                guard let edit = edit(&reader, depth: depth + 1) else { return nil }
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
private struct ByteReader {
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

    mutating func bytes(_ count: Int) -> Data? {
        guard count >= 0, left >= count else { return nil }
        defer { position += count }
        let start = data.startIndex + position
        return Data(data[start..<(start + count)])
    }
}
