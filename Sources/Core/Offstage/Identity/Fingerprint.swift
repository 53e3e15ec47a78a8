import Foundation

/// Identifies everything that decides a picture's pixels, apart from the files that its source loads: these are
/// dependencies (`Dependency`).
///
/// It consists of named parts in order (the source, its style sheets, the geometry, the engine's version …). Two
/// fingerprints are equal if all parts are equal; `changes` lists the parts that differ.
public struct Fingerprint: Sendable, Codable {
    /// A part's name and the beginning of its content's digest, which is enough to detect a change.
    public struct Part: Sendable, Hashable, Codable {
        public var name: String
        /// The first eight bytes of the content's digest.
        public var short: UInt64
    }

    /// The digest of all parts, with their names and their order.
    public let digest: Digest
    /// In the order in which they were added.
    public let parts: [Part]
}

extension Fingerprint: Hashable, CustomStringConvertible {
    public static func == (one: Fingerprint, other: Fingerprint) -> Bool { one.digest == other.digest }
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
    /// 64 lower-case hexadecimal digits.
    public var description: String { digest.description }
}

extension Fingerprint {
    /// Collects the parts of a fingerprint.
    public struct Builder: Sendable {
        private var digester = Digester()
        private var parts: [Part] = []

        public init() {}

        /// Adds a part.
        ///
        /// - Parameters:
        ///   - name: for people, such as `html`; without a NUL character. Several parts may have the same name.
        ///   - text: any text; its UTF-8 bytes count.
        public mutating func add(_ name: String, _ text: String) { add(name, Digest(of: text)) }

        public mutating func add(_ name: String, _ data: Data) { add(name, Digest(of: data)) }

        /// Adds a part with a known digest, such as a style sheet that many rows share.
        public mutating func add(_ name: String, _ content: Digest) {
            precondition(!name.utf8.contains(0), "a part of a fingerprint has a NUL character in its name")
            digester.addField(name)
            digester.add(content)
            let short = content.withBytes { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) }
            parts.append(Part(name: name, short: short))
        }

        /// Adds the changes to the picture's edges after the drawing.
        public mutating func add(_ margins: Margins) {
            let color = margins.color.map { "\($0.red) \($0.green) \($0.blue) \($0.alpha)" } ?? "-"
            add("margins", "\(margins.isTrimmed) \(margins.padding) \(color)")
        }

        /// The fingerprint of the parts so far. You can add more parts and build another fingerprint.
        public func build() -> Fingerprint {
            var digester = digester
            return Fingerprint(digest: digester.finish(), parts: parts)
        }
    }

    /// The fingerprint of a picture over which another one is drawn.
    init(_ below: Fingerprint, under above: Fingerprint) {
        var digester = Digester()
        digester.addField("overlay")
        digester.add(below.digest)
        digester.add(above.digest)
        digest = digester.finish()
        parts = below.parts + above.parts.map { Part(name: "overlay: \($0.name)", short: $0.short) }
    }

    /// The fingerprint of a picture that is fitted into a box.
    init(_ whole: Fingerprint, in box: PictureBox) {
        var digester = Digester()
        digester.addField("box")
        digester.add(whole.digest)
        let content = Digest(of: box.description)
        digester.add(content)
        digest = digester.finish()
        let short = content.withBytes { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) }
        parts = whole.parts + [Part(name: "box", short: short)]
    }

    /// A part that differs between two fingerprints.
    public struct Change: Sendable, Hashable, Codable {
        public enum Kind: String, Sendable, Codable { case added, removed, changed }
        public var name: String
        public var kind: Kind

        public init(name: String, kind: Kind) {
            self.name = name
            self.kind = kind
        }
    }

    /// The differences from another fingerprint, in the order of this one's parts, followed by the parts that only the
    /// other has. Empty if they are equal. If parts differ only in their order, all of them count as changed.
    public func changes(to other: Fingerprint) -> [Change] {
        if self == other { return [] }
        let (old, new) = (Self.byName(parts), Self.byName(other.parts))
        var changes: [Change] = []
        var told: Set<String> = []
        for part in parts + other.parts where told.insert(part.name).inserted {
            switch (old[part.name], new[part.name]) {
            case (let one?, let two?): if one != two { changes.append(Change(name: part.name, kind: .changed)) }
            case (_?, nil): changes.append(Change(name: part.name, kind: .removed))
            default: changes.append(Change(name: part.name, kind: .added))
            }
        }
        // Only the order differs, or digests differ after their first eight bytes.
        return changes.isEmpty ? told.sorted().map { Change(name: $0, kind: .changed) } : changes
    }

    private static func byName(_ parts: [Part]) -> [String: [UInt64]] {
        Dictionary(parts.map { ($0.name, [$0.short]) }) { $0 + $1 }
    }
}
