import Foundation

/// Pictures and drawings that several machines share, used after each machine's own store. The core knows nothing else
/// about it.
///
/// A shelf that cannot be reached behaves like an empty one, and allows all drawings.
package protocol SharedShelf: Sendable {
    /// Identifies machines that draw the same bytes. Keys of different classes differ.
    var machineClass: String { get }

    /// The stored drawings under a key, one for each set of files that a drawing read; empty for none.
    func drawings(for key: Digest) async -> [SharedDrawing]

    /// Requests the right to draw for a key. Returns when the right is granted, or when another machine has used it.
    ///
    /// - Parameters:
    ///   - key: the drawing's key.
    ///   - pictures: the keys of its pictures, in case another machine was faster.
    func claim(_ key: Digest, for pictures: [Digest]) async -> SharedClaim

    /// Stores pictures soon after the call, and does not report the result.
    ///
    /// - Parameter areNew: true if they have just been drawn. Used to count drawings that another machine had already
    ///   made.
    func keep(_ pictures: [(key: Digest, drawing: SharedDrawing)], areNew: Bool)

    /// Removes pictures that can no longer be trusted, after those that `keep` has received so far. Returns at once.
    func withdraw(_ keys: [Digest])

    /// Ends a claim, after the pictures that `keep` has received so far.
    ///
    /// - Parameter failure: nil if the drawing succeeded or was not made.
    func give(_ key: Digest, _ failure: DrawingError?)
}

/// The answer to a request for the right to draw.
package enum SharedClaim: Sendable, Hashable {
    /// The right is granted: no other machine draws it until `give`.
    case mine
    /// Another machine has stored pictures under these keys. If the caller cannot use them, it has the right to draw.
    case stored
    /// Its document has ended several processes that drew it.
    case dead
    /// No right was granted, because the shelf cannot be reached.
    case unknown
}

/// The pictures of a drawing: one, or all parts in order.
package struct SharedDrawing: Sendable {
    package struct Part: Sendable {
        package var info: PictureInfo
        /// The digest of the bytes.
        package var content: Digest
        package var data: Data

        package init(info: PictureInfo, content: Digest, data: Data) {
            (self.info, self.content, self.data) = (info, content, data)
        }
    }

    package var parts: [Part]

    package init(parts: [Part]) { self.parts = parts }

    /// The files that the drawing read.
    package var dependencies: [Dependency] { parts.first?.info.dependencies ?? [] }

    /// Identifies these files.
    package var files: Digest {
        Digest(of: FieldList.encode(dependencies.flatMap { [$0.path, $0.digest?.description ?? ""] }))
    }
}

/// Keys of the shared shelf. They do not contain the identifiers under which machines cache pictures, so equal requests
/// share pictures.
package enum SharedKeys {
    /// The key of a file of a drawing.
    package static func picture(_ machineClass: String, _ fingerprint: Fingerprint, _ variant: String) -> Digest {
        key("picture", machineClass, fingerprint, [variant])
    }

    /// The key of a drawing for some files.
    package static func drawing(_ machineClass: String, _ fingerprint: Fingerprint, _ variants: [String]) -> Digest {
        key("drawing", machineClass, fingerprint, variants)
    }

    /// The key of work that needs several drawings.
    package static func work(_ drawings: [Digest]) -> Digest {
        if drawings.count == 1 { return drawings[0] }
        var digester = Digester()
        for one in drawings { digester.add(one) }
        return digester.finish()
    }

    private static func key(
        _ kind: String, _ machineClass: String, _ fingerprint: Fingerprint, _ variants: [String]
    ) -> Digest {
        var digester = Digester()
        digester.addField(kind)
        digester.addField(machineClass)
        digester.add(fingerprint.digest)
        for variant in variants { digester.addField(variant) }
        return digester.finish()
    }
}
