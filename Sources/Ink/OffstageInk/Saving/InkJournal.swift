import COffstageInk
import Foundation
import Offstage

/// The format of a journal: a complete state of a file, the undo history before it, and all changes since. It needs
/// nothing else: the ink is safe even if another program writes over the file.
///
/// A journal is `magic`, followed by entries. An entry is a header of 20 bytes, followed by a body. The header:
///
/// | Bytes | Content |
/// |---|---|
/// | 4 | `marker`, by which an entry is found after a damaged one |
/// | 4 | the length of the body |
/// | 4 | the entry's number, from 0, which shows if entries are missing |
/// | 4 | a checksum of the body |
/// | 4 | a checksum of the preceding numbers |
enum InkJournal {
    static let magic = Data("offjrnl3".utf8)
    static let marker = Data([0xA7, 0x4F, 0x4A, 0x0B])
    static let headerSize = 20

    enum Entry {
        /// The first entry.
        case base(Base)
        /// A step of the history before the file was written, oldest first.
        case done(InkStep)
        case undone(InkStep)
        case change(InkChange)
        /// Another program has written the file: its additions, and the file's bytes. A single entry, so that both are
        /// lost or neither.
        case rewritten(additions: Ink, file: Data)
        /// A texture image for the edits that follow.
        case image(InkTextureImage)

        /// The images that the entry's edits need.
        var images: [InkTextureImage] {
            switch self {
            case .done(let step), .undone(let step): step.edit.images
            case .change(.edit(let edit, _, _)): edit.images
            case .base, .change, .rewritten, .image: []
            }
        }
    }

    /// A state of a file.
    struct Base {
        /// Larger than that of the previous journal.
        var generation: UInt32 = 0
        /// The file's device and inode, 0 for a file that did not exist.
        var device: UInt64 = 0
        var inode: UInt64 = 0
        /// The file's bytes; empty for a file that did not exist.
        var file = Data()
        /// The document for a file that did not exist.
        var initial: Ink?
    }

    /// An entry as written in the journal.
    static func framed(_ body: Data, number: UInt32) -> Data {
        var data = marker
        append(UInt32(clamping: body.count), to: &data)
        append(number, to: &data)
        append(checksum(body), to: &data)
        append(checksum(data.dropFirst(marker.count)), to: &data)
        return data + body
    }

    /// Entry bodies as a part of a journal.
    static func framed(_ bodies: [Data], from number: UInt32) -> Data {
        var data = Data()
        for (index, body) in bodies.enumerated() { data += framed(body, number: number + UInt32(clamping: index)) }
        return data
    }

    static func checksum(_ body: Data) -> UInt32 {
        Digest(of: body).withBytes { $0.loadUnaligned(as: UInt32.self) }
    }

    /// The body of an entry.
    static func body(of entry: Entry) -> Data {
        var body = Data()
        switch entry {
        case .change(.edit(let edit, let joins, let check)):
            body.append(joins ? 2 : 1)
            append(edit, to: &body)
            append(check, to: &body)
        case .change(.undo(let check)):
            body.append(3)
            append(check, to: &body)
        case .change(.redo(let check)):
            body.append(4)
            append(check, to: &body)
        case .done(let step):
            body.append(5)
            append(step.edit, to: &body)
            append(step.marks, to: &body)
        case .undone(let step):
            body.append(6)
            append(step.edit, to: &body)
            append(step.marks, to: &body)
        case .base(let base):
            body.append(7)
            append(base.generation, to: &body)
            for number in [base.device, base.inode] {
                withUnsafeBytes(of: number.littleEndian) { body.append(contentsOf: $0) }
            }
            let initial = base.initial.map(InkRecords.data(of:)) ?? Data()
            append(UInt32(clamping: initial.count), to: &body)
            body += initial
            body += base.file
        case .change(.merge(let additions)):
            body.append(8)
            body += InkRecords.data(of: additions)
        case .rewritten(let additions, let file):
            body.append(9)
            let records = InkRecords.data(of: additions)
            append(UInt32(clamping: records.count), to: &body)
            body += records
            body += file
        case .image(let image):
            body.append(10)
            InkRecords.append(image, to: &body)
        }
        return body
    }

    /// - Parameters:
    ///   - images: the texture images from earlier entries.
    ///   - isDoubtful: true for a body with a wrong checksum. Only its additions are used: it could remove the wrong
    ///     items, and a single bit distinguishes undoing from adding.
    static func entry(_ body: Data, _ images: InkTextureImages, isDoubtful: Bool = false) -> Entry? {
        var reader = ByteReader(body)
        guard let kind = reader.bytes(1)?.first else { return nil }
        switch kind {
        case 1, 2:
            guard let edit = edit(&reader, images) else { return nil }
            if isDoubtful, edit.insertions != nil { return .change(.edit(edit, joins: kind == 2, check: nil)) }
            return marks(&reader).map { .change(.edit(edit, joins: kind == 2, check: $0)) }
        case 3, 4:
            guard !isDoubtful, let check = marks(&reader) else { return nil }
            return .change(kind == 3 ? .undo(check: check) : .redo(check: check))
        case 5, 6:
            guard !isDoubtful, let edit = edit(&reader, images), let marks = marks(&reader) else { return nil }
            let step = InkStep(edit: edit, marks: marks)
            return kind == 5 ? .done(step) : .undone(step)
        case 7:
            guard let generation = reader.number(), let device = reader.longNumber(), let inode = reader.longNumber(),
                let count = reader.number(), let initial = reader.bytes(Int(count)),
                let file = reader.bytes(reader.left)
            else { return nil }
            return .base(
                Base(
                    generation: generation, device: device, inode: inode, file: file,
                    initial: initial.isEmpty ? nil : InkRecords.ink(initial)))
        case 8: return reader.bytes(reader.left).flatMap(InkRecords.additions).map { .change(.merge($0)) }
        case 9:
            guard let count = reader.number(), let records = reader.bytes(Int(count)),
                let additions = InkRecords.additions(records), let file = reader.bytes(reader.left)
            else { return nil }
            return .rewritten(additions: additions, file: file)
        case 10:
            var (records, found) = (RecordReader(reader.bytes(reader.left) ?? Data()), InkTextureImages())
            guard let record = records.next(), let head = record.bytes.head(offstage_ink_mask_head.self),
                found.add(record.bytes), found[head.image].identity == head.image
            else { return nil }
            return .image(found[head.image])
        default: return nil
        }
    }
}

extension InkRecords {
    /// Like `ink`, for a document that may have no pages.
    fileprivate static func additions(_ data: Data) -> Ink? {
        data == magic ? Ink(pages: []) : ink(data)
    }
}
