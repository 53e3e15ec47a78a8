import CBlake2
import Foundation

/// Computes a digest of bytes that arrive in pieces.
struct Digester {
    private var state = blake2b_state()

    init() {
        let status = blake2b_init(&state, Digest.length)
        precondition(status == 0, "libb2 cannot make a digest of \(Digest.length) bytes")
    }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        blake2b_update(&state, base.assumingMemoryBound(to: UInt8.self), bytes.count)
    }

    mutating func add(_ data: Data) { data.withUnsafeBytes { add($0) } }

    mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    /// Adds a number as eight bytes, little-endian.
    mutating func add(_ number: UInt64) { withUnsafeBytes(of: number.littleEndian) { add($0) } }

    mutating func add(_ digest: Digest) { digest.withBytes { add($0) } }

    // Adds a field. With the length before the bytes, different lists of fields never give the same stream.

    mutating func addField(_ data: Data) {
        add(UInt64(data.count))
        add(data)
    }

    mutating func addField(_ text: String) {
        add(UInt64(text.utf8.count))
        add(text)
    }

    /// Call it last.
    mutating func finish() -> Digest {
        Digest { bytes in
            blake2b_final(&state, bytes.baseAddress!.assumingMemoryBound(to: UInt8.self), bytes.count)
        }
    }
}
