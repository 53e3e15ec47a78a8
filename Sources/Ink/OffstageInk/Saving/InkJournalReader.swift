import Foundation

/// The contents of a journal. It is untrusted, and bytes may be damaged: an unreadable entry does not affect the
/// others.
struct InkJournalContents {
    private(set) var base: InkJournal.Base?
    private(set) var done: [InkStep] = []
    private(set) var undone: [InkStep] = []
    private(set) var changes: [InkChange] = []
    /// The file's bytes when it was last seen, if another program has written it since `base`.
    private(set) var rewritten: Data?
    /// True if entries are missing or were repaired.
    private(set) var isDamaged = false
    /// The number of the next entry.
    private(set) var number: UInt32 = 0
    /// The texture images.
    private(set) var images = InkTextureImages()

    /// The bytes that the file had when it was last seen.
    var file: Data? { rewritten ?? base?.file }

    /// Reads a journal.
    ///
    /// - Returns: nil if the bytes are not a journal.
    init?(_ data: Data) {
        let data = Data(data)
        // A program that was killed while creating the journal leaves only its beginning, or nothing.
        let hasMagic = data.starts(with: InkJournal.magic) || InkJournal.magic.starts(with: data)
        var position = hasMagic ? InkJournal.magic.count : 0
        var found = 0
        while let header = Header(data, at: position) ?? Header.next(in: data, after: position) {
            let end = header.start + InkJournal.headerSize + header.length
            let body = end <= data.count ? data[(header.start + InkJournal.headerSize)..<end] : nil
            if let body, InkJournal.checksum(body) == header.check {
                found += 1
                if let entry = InkJournal.entry(Data(body), images) {
                    add(entry, header.number)
                } else {
                    isDamaged = true
                }
                position = end
                continue
            }
            // Damaged, or unfinished and overwritten by a later entry.
            let next = Header.next(in: data, after: header.start)
            if let body, next.map({ $0.start == end }) ?? (end == data.count), !Self.isUnwritten(body),
                let entry = InkJournal.entry(Data(body), images, isDoubtful: true)
            {
                isDamaged = true
                add(entry, header.number)
            } else if body != nil, next != nil {
                isDamaged = true
            }
            guard let next else { break }
            position = next.start
        }
        if !hasMagic, found == 0 { return nil }
        if !hasMagic { isDamaged = true }
    }

    private mutating func add(_ entry: InkJournal.Entry, _ number: UInt32) {
        // Written twice, because the disk reported an error the first time.
        if number < self.number { return }
        if number > self.number { isDamaged = true }
        self.number = number &+ 1
        switch entry {
        case .base(let base): self.base = base
        case .done(let step): done.append(step)
        case .undone(let step): undone.append(step)
        case .change(let change): changes.append(change)
        case .image(let image): images.add(image)
        case .rewritten(let additions, let file):
            rewritten = file
            if !additions.pages.isEmpty { changes.append(.merge(additions)) }
        }
    }

    /// True for a body whose end never reached the disk before a power failure.
    private static func isUnwritten(_ body: Data) -> Bool { body.count >= 32 && body.suffix(32).allSatisfy { $0 == 0 } }

    /// The bytes before an entry's body.
    private struct Header {
        let start: Int
        let length: Int
        let number: UInt32
        let check: UInt32

        /// - Returns: nil if no header is there.
        init?(_ data: Data, at start: Int) {
            guard start + InkJournal.headerSize <= data.count, data[start] == InkJournal.marker[0],
                data[start..<(start + 4)] == InkJournal.marker
            else { return nil }
            func number(_ index: Int) -> UInt32 {
                data.withUnsafeBytes {
                    UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: start + 4 * index, as: UInt32.self))
                }
            }
            guard InkJournal.checksum(data[(start + 4)..<(start + 16)]) == number(4) else { return nil }
            (self.start, length, self.number, check) = (start, Int(number(1)), number(2), number(3))
        }

        /// The next header after an offset.
        static func next(in data: Data, after place: Int) -> Header? {
            var from = place + 1
            while from < data.count, let range = data.range(of: InkJournal.marker, in: from..<data.count) {
                if let header = Header(data, at: range.lowerBound) { return header }
                from = range.lowerBound + 1
            }
            return nil
        }
    }
}
