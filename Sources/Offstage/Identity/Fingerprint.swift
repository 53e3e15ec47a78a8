import Foundation

/// What decides a picture's pixels, but for the files that its source loads: those are `Dependency`.
///
/// It is made of named parts in order (the source, its style sheets, the geometry, the engine's version …). Two are equal
/// if all parts are; `changes` tells which differ.
public struct Fingerprint: Sendable, Codable {
    /// A part's name and the beginning of its content's digest: enough to tell that it changed.
    public struct Part: Sendable, Hashable, Codable {
        public var name: String
        /// Of the content, eight bytes.
        public var short: UInt64
    }

    /// Of all parts, with their names and their order.
    public let digest: Digest
    /// In the order in which they were added.
    public let parts: [Part]
}

extension Fingerprint: Hashable, CustomStringConvertible {
    public static func == (one: Fingerprint, other: Fingerprint) -> Bool { one.digest == other.digest }
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
    /// 64 small hexadecimal digits.
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
        ///   - name: for people, such as `html`; without a NUL character. A name may come more than once.
        ///   - text: any; its UTF-8 bytes count.
        public mutating func add(_ name: String, _ text: String) { add(name, Digest(of: text)) }

        public mutating func add(_ name: String, _ data: Data) { add(name, Digest(of: data)) }

        /// A part whose digest is known, such as a style sheet that many rows share.
        public mutating func add(_ name: String, _ content: Digest) {
            precondition(!name.utf8.contains(0), "a part of a fingerprint has a NUL character in its name")
            digester.addField(name)
            digester.add(content)
            let short = content.withBytes { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) }
            parts.append(Part(name: name, short: short))
        }

        /// The fingerprint of the parts so far; more can follow for another one.
        public func build() -> Fingerprint {
            var digester = digester
            return Fingerprint(digest: digester.finish(), parts: parts)
        }
    }

    /// A part that two fingerprints do not share.
    public struct Change: Sendable, Hashable, Codable {
        public enum Kind: String, Sendable, Codable { case added, removed, changed }
        public var name: String
        public var kind: Kind

        public init(name: String, kind: Kind) {
            self.name = name
            self.kind = kind
        }
    }

    /// What another fingerprint has otherwise than this one, in this one's order, then what only the other has. Empty for
    /// equal ones. Parts that only changed places are all told as changed.
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
        // Only the order differs, or what lies behind the eight bytes that are kept.
        return changes.isEmpty ? told.sorted().map { Change(name: $0, kind: .changed) } : changes
    }

    private static func byName(_ parts: [Part]) -> [String: [UInt64]] {
        Dictionary(parts.map { ($0.name, [$0.short]) }) { $0 + $1 }
    }
}
