import COffstageDeflate

/// Rows that ISA-L compresses: in a quarter of zlib's time at its fastest, for files that are 6 % larger. libspng, which knows zlib
/// only, has written the head; a PNG's pixels and its end are chunks of a length, a name, bytes and a check sum.
final class QuickPNGRows: PNGRows {
    private let output: PNGOutput
    private let deflate: OpaquePointer
    /// Rows that have not been given yet, each behind its filter's number: 0, for none.
    private let stripe: UnsafeMutableRawBufferPointer
    private let length: Int
    private var filled = 0
    private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: headCount + most + checkCount, alignment: 16)

    /// Bytes of a chunk's content, and about those that are given at once.
    private static let most = 1 << 16
    /// Its length and name.
    private static let headCount = 8
    private static let checkCount = 4
    /// A chunk without content, whose check sum is always the same.
    private static let end: [UInt8] = [0, 0, 0, 0] + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]

    /// - Parameter length: of a row, bytes.
    init(_ output: PNGOutput, length: Int) throws(EncodingError) {
        guard let deflate = offstage_deflate_new() else { throw EncodingError("ISA-L: out of memory") }
        (self.output, self.deflate, self.length) = (output, deflate, length)
        stripe = .allocate(byteCount: (1 + length) * max(1, Self.most / (1 + length)), alignment: 16)
        chunk.baseAddress!.advanced(by: 4).copyMemory(from: Array("IDAT".utf8), byteCount: 4)
    }

    deinit {
        offstage_deflate_free(deflate)
        stripe.deallocate()
        chunk.deallocate()
    }

    func append(_ fill: (UnsafeMutableRawBufferPointer) -> Void) throws(EncodingError) {
        if filled == stripe.count { try compress(isLast: false) }
        stripe[filled] = 0
        fill(UnsafeMutableRawBufferPointer(rebasing: stripe[filled + 1..<filled + 1 + length]))
        filled += 1 + length
    }

    func finish() throws(EncodingError) {
        try compress(isLast: true)
        output.append(Self.end)
    }

    private func compress(isLast: Bool) throws(EncodingError) {
        offstage_deflate_give(deflate, stripe.baseAddress, filled, isLast)
        filled = 0
        var count = 0
        repeat {
            count = offstage_deflate_read(deflate, chunk.baseAddress! + Self.headCount, Self.most)
            if count > 0 { try write(count) }
        } while count == Self.most
    }

    private func write(_ count: Int) throws(EncodingError) {
        chunk.storeBytes(of: UInt32(count).bigEndian, as: UInt32.self)
        let named = UnsafeRawBufferPointer(rebasing: chunk[4..<Self.headCount + count])
        let sum = offstage_crc(0, named.baseAddress, named.count)
        chunk.storeBytes(of: sum.bigEndian, toByteOffset: Self.headCount + count, as: UInt32.self)
        try output.append(UnsafeRawBufferPointer(rebasing: chunk[..<(Self.headCount + count + Self.checkCount)]))
    }
}
