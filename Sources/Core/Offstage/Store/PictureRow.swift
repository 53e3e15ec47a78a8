import Foundation

/// A picture's row in the database, before it is checked.
struct PictureRow {
    var id: Int
    var key: PictureKey
    var partCount: Int
    var fingerprint: Digest
    var parts: Data
    var dependencies: Data
    var format: String
    var width: Int
    var height: Int
    var scale: Double
    var isOpaque: Bool
    /// JSON, or nil.
    var warnings: String?
    var extra: String?
    /// JSON of areas and text, or nil.
    var areas: String?
    var blob: Int
    /// The digest of the bytes; their number follows.
    var content: Digest
    var length: Int
    /// Milliseconds since 1970.
    var stored: Int
    var used: Int
    /// True if the store never evicts the picture.
    var isPinned = false
    /// The name of the client that pinned the picture; nil for none.
    var owner: String?

    static let columns = """
        p.id, p.identifier, p.variant, p.part, p.part_count, p.fingerprint, p.parts, p.dependencies, p.format, p.width, \
        p.height, p.scale, p.opaque, p.warnings, p.extra, p.blob, p.stored, p.used, p.seal, b.digest, b.length, \
        p.content, p.pinned, p.owner
        """
    /// The index of the first column after these.
    static let columnCount: Int32 = 24

    /// Nil for a row that differs from what was stored.
    init?(_ row: SQLiteRow) {
        guard let fingerprint = row.digest(5), let content = row.digest(19) else { return nil }
        id = row.integer(0)
        let part = row.integer(3)
        guard part >= 0 else { return nil }
        key = PictureKey(row.text(1), variant: row.text(2), part: part == 0 ? nil : part)
        partCount = row.integer(4)
        self.fingerprint = fingerprint
        parts = row.data(6)
        dependencies = row.data(7)
        format = row.text(8)
        (width, height, scale) = (row.integer(9), row.integer(10), row.real(11))
        isOpaque = row.integer(12) != 0
        warnings = row.isNull(13) ? nil : row.text(13)
        extra = row.isNull(14) ? nil : row.text(14)
        areas = row.isNull(21) ? nil : row.text(21)
        blob = row.integer(15)
        (stored, used) = (row.integer(16), row.integer(17))
        self.content = content
        length = row.integer(20)
        isPinned = row.integer(22) != 0
        owner = row.isNull(23) ? nil : row.text(23)
        guard row.digest(18) == seal else { return nil }
    }

    init(_ key: PictureKey, _ picture: StoredPicture, content: Digest, now: Int) {
        let info = picture.info
        id = 0
        self.key = key
        partCount = info.partCount ?? 0
        fingerprint = info.fingerprint.digest
        parts = FieldList.encode(info.fingerprint.parts.flatMap { [$0.name, String($0.short, radix: 16)] })
        dependencies = FieldList.encode(info.dependencies.flatMap { [$0.path, $0.digest?.description ?? ""] })
        format = info.format
        (width, height, scale) = (info.size.width, info.size.height, info.scale)
        isOpaque = info.isOpaque
        warnings = info.warnings.isEmpty ? nil : Self.json(info.warnings)
        extra = info.extra
        areas = info.content.flatMap { Self.json($0) }
        blob = 0
        self.content = content
        length = picture.data.count
        (stored, used) = (now, now)
    }
}

extension PictureRow {
    /// A digest of everything that a caller gets, including the digest of the bytes. It differs if the row was damaged,
    /// or if an index pointed to the wrong row.
    var seal: Digest {
        var digester = Digester()
        digester.addField(key.identifier)
        digester.addField(key.variant)
        digester.add(UInt64(key.part ?? 0))
        digester.add(UInt64(bitPattern: Int64(partCount)))
        digester.add(fingerprint)
        digester.addField(parts)
        digester.addField(dependencies)
        digester.addField(format)
        digester.add(UInt64(bitPattern: Int64(width)))
        digester.add(UInt64(bitPattern: Int64(height)))
        digester.add(scale.bitPattern)
        digester.add(isOpaque ? 1 : 0)
        digester.addField(warnings ?? "")
        digester.addField(extra ?? "")
        // Rows from before this column existed have the same seal.
        if let areas { digester.addField(areas) }
        // The same applies to this column. Areas are JSON, so they never equal this word. The seal does not cover
        // whether a picture is pinned: pictures that were pinned by an upgrade had been sealed before.
        if let owner {
            digester.addField("owner")
            digester.addField(owner)
        }
        digester.add(content)
        digester.add(UInt64(bitPattern: Int64(length)))
        return digester.finish()
    }

    private static func json(_ value: some Encodable) -> String? {
        (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Nil if the row is intact but cannot be interpreted: it has a warning that only a newer program knows.
    var info: PictureInfo? {
        var known: [DrawingWarning] = []
        if let warnings {
            guard let list = try? JSONDecoder().decode([DrawingWarning].self, from: Data(warnings.utf8)) else {
                return nil
            }
            known = list
        }
        var content: PictureContent?
        if let areas {
            content = try? JSONDecoder().decode(PictureContent.self, from: Data(areas.utf8))
            if content == nil { return nil }
        }
        let parts = FieldList.pairs(self.parts) { Fingerprint.Part(name: $0, short: FieldList.hexadecimal($1)) }
        return PictureInfo(
            fingerprint: Fingerprint(digest: fingerprint, parts: parts),
            dependencies: FieldList.pairs(dependencies) { path, digest in
                Dependency(path: path, digest: Digest(String(decoding: digest, as: UTF8.self)))
            },
            format: format, size: PixelSize(width: width, height: height), scale: scale, isOpaque: isOpaque,
            warnings: known, partCount: partCount == 0 ? nil : partCount, content: content, extra: extra)
    }
}

/// A list of texts without NUL, each ended by a NUL. Fast to read and write; the list may be empty.
enum FieldList {
    static func encode(_ fields: [String]) -> Data {
        var data = Data()
        for field in fields {
            data.append(contentsOf: field.utf8)
            data.append(0)
        }
        return data
    }

    typealias Field = Slice<UnsafeRawBufferPointer>

    static func pairs<Pair>(_ data: Data, _ make: (String, Field) -> Pair) -> [Pair] {
        data.withUnsafeBytes { bytes in
            var pairs: [Pair] = []
            var rest = bytes[...]
            while let first = next(&rest), let second = next(&rest) {
                pairs.append(make(String(decoding: first, as: UTF8.self), second))
            }
            return pairs
        }
    }

    private static func next(_ rest: inout Field) -> Field? {
        guard let end = rest.firstIndex(of: 0) else { return nil }
        defer { rest = rest[(end + 1)...] }
        return rest[..<end]
    }

    /// The value of up to 16 digits; 0 for anything else.
    static func hexadecimal(_ digits: Field) -> UInt64 {
        if digits.count > 16 { return 0 }
        var number: UInt64 = 0
        for byte in digits {
            guard let digit = hexadecimalValue(of: byte) else { return 0 }
            number = number << 4 | UInt64(digit)
        }
        return number
    }
}
