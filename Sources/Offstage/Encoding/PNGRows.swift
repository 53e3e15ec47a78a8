import CSpng

/// Where a PNG's rows go, behind its head: what compresses them and ends the file.
protocol PNGRows {
    /// The next row, top first.
    ///
    /// - Parameter fill: writes its samples.
    func append(_ fill: (UnsafeMutableRawBufferPointer) -> Void) throws(EncodingError)

    /// To be called once, after the last row.
    func finish() throws(EncodingError)
}

/// Rows that libspng compresses, with zlib.
final class SpngRows: PNGRows {
    private let context: OpaquePointer
    private let row: UnsafeMutableRawBufferPointer
    private var status: Int32 = 0

    /// - Parameters:
    ///   - context: libspng's, which outlives this one's use.
    ///   - length: of a row, bytes.
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
        // With the last row it tells that there is no other.
        if status != Int32(SPNG_EOI.rawValue) { try EncodingError.check(status) }
    }

    func finish() throws(EncodingError) {
        if status != Int32(SPNG_EOI.rawValue) { throw EncodingError(spng: status) }
    }
}

extension EncodingError {
    init(spng status: Int32) { self.init("libspng: \(String(cString: spng_strerror(status)))") }

    /// - Parameter status: of one of libspng's functions.
    static func check(_ status: Int32) throws(EncodingError) {
        if status != 0 { throw EncodingError(spng: status) }
    }
}
