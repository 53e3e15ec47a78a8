import Foundation
import Offstage
import Testing

/// The components of a picture's fingerprint, and their changes.
struct FingerprintTests {
    private func fingerprint(_ parts: KeyValuePairs<String, String>) -> Fingerprint {
        var builder = Fingerprint.Builder()
        for (name, text) in parts { builder.add(name, text) }
        return builder.build()
    }

    /// BLAKE2b-256 as `b2sum --length 256` computes it.
    @Test func digestsAreBlake2b() throws {
        #expect("\(Digest(of: "abc"))" == "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319")
        #expect(Digest(of: Data("abc".utf8)) == Digest(of: "abc"))
        let folder = try TemporaryFolder()
        let large = Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 8) })
        try large.write(to: URL(fileURLWithPath: folder.file("a")))
        #expect(try Digest(ofFile: folder.file("a")) == Digest(of: large))
        let error = #expect(throws: FileError.self) { try Digest(ofFile: folder.file("b")) }
        #expect(error?.code == ENOENT)
    }

    @Test func digestsAreReadBack() throws {
        let digest = Digest(of: "abc")
        #expect(Digest("\(digest)") == digest)
        #expect(Digest("\(digest)".uppercased()) == digest)
        #expect(Digest("\(digest)".dropLast()) == nil)
        #expect(Digest("\(digest)".dropLast() + "g") == nil)
        let fingerprint = fingerprint(["html": "a", "css": "b"])
        let decoded = try JSONDecoder().decode(Fingerprint.self, from: JSONEncoder().encode(fingerprint))
        #expect(decoded == fingerprint)
        #expect(decoded.parts == fingerprint.parts)
    }

    @Test func sameParts() {
        #expect(fingerprint(["html": "a", "css": "b"]) == fingerprint(["html": "a", "css": "b"]))
        #expect(fingerprint(["html": "a"]).changes(to: fingerprint(["html": "a"])).isEmpty)
    }

    /// Lists that divide the same text into components in different ways have different fingerprints.
    @Test func noTwoListsAreTheSame() {
        let lists = [
            fingerprint([:]), fingerprint(["": ""]), fingerprint(["a": "bc"]), fingerprint(["ab": "c"]),
            fingerprint(["a": "b", "c": ""]), fingerprint(["a": "", "b": "c"]), fingerprint(["c": "", "a": "b"]),
            fingerprint(["a": "b"]), fingerprint(["a": "b", "a": "b"]),
        ]
        #expect(Set(lists).count == lists.count)
    }

    @Test func changesAreNamed() {
        let old = fingerprint(["html": "a", "css": "b", "fonts": "c", "scale": "1"])
        let new = fingerprint(["html": "a", "css": "B", "scale": "1", "media": "print"])
        #expect(
            old.changes(to: new) == [
                Fingerprint.Change(name: "css", kind: .changed), Fingerprint.Change(name: "fonts", kind: .removed),
                Fingerprint.Change(name: "media", kind: .added),
            ])
    }

    @Test func aChangedOrderIsAChange() {
        let (one, other) = (fingerprint(["css": "a", "css": "b"]), fingerprint(["css": "b", "css": "a"]))
        #expect(one != other)
        #expect(one.changes(to: other).map(\.name) == ["css"])
        let swapped = fingerprint(["b": "2", "a": "1"])
        #expect(fingerprint(["a": "1", "b": "2"]).changes(to: swapped).map(\.name) == ["a", "b"])
    }

    /// Two file names that look the same have different keys.
    @Test func keysAreTheirBytes() {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        #expect(composed == decomposed)
        #expect(PictureKey(composed, variant: "a") != PictureKey(decomposed, variant: "a"))
        #expect(PictureKey("a", variant: "b", part: 1) != PictureKey("a", variant: "b"))
        #expect(Set([PictureKey("ab", variant: "c"), PictureKey("a", variant: "bc")]).count == 2)
    }
}
