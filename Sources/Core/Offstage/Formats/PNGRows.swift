import CSpng

/// Compresses a PNG's rows, and writes them and the end of the file. The header has been written before.
protocol PNGRows {
    /// Appends the next row, from top to bottom.
    ///
    /// - Parameter fill: writes the row's samples.
    func append(_ fill: (UnsafeMutableRawBufferPointer) -> Void) throws(EncodingError)

    /// Ends the file. Call it once, after the last row.
    func finish() throws(EncodingError)
}

/// Compresses rows with libspng, which uses zlib.
final class SpngRows: PNGRows {
    private let context: OpaquePointer
    private let row: UnsafeMutableRawBufferPointer
    private var status: Int32 = 0

    /// - Parameters:
    ///   - context: libspng's context, which must outlive this object.
    ///   - length: bytes per row.
    init(_ context: OpaquePointer, length: Int) throws(EncodingError) {
        let flags = SPNG_ENCODE_PROGRESSIVE.rawValue | SPNG_ENCODE_FINALIZE.rawValue
        try EncodingError.check(spng_encode_image(context, nil, 0, Int32(SPNG_FMT_PNG.rawValue), Int32(flags)))
        self.context = context
        row = .allocate(byteCount: length, alignment: 16)
    }

    deinit { row.deallocate() }

    func append(_ fill: (UnsafeMutableRawBufferPointer) -> Void) throws(EncodingError) {
        fill(row)
        status = spng_encode_row(context, row.baseAddress, row.count)
        // After the last row, libspng reports that no other row follows.
        if status != Int32(SPNG_EOI.rawValue) { try EncodingError.check(status) }
    }

    func finish() throws(EncodingError) {
        if status != Int32(SPNG_EOI.rawValue) { throw EncodingError(spng: status) }
    }
}

extension EncodingError {
    init(spng status: Int32) { self.init("libspng: \(String(cString: spng_strerror(status)))") }

    /// - Parameter status: the result of one of libspng's functions.
    static func check(_ status: Int32) throws(EncodingError) {
        if status != 0 { throw EncodingError(spng: status) }
    }
}
