/// The colours of a picture with few colours.
struct Palette {
    /// Straight RGBA in memory order. Colours that are not opaque come first, because a PNG lists the alpha of only the
    /// first colours. Otherwise, they are in the order of their first use.
    private(set) var colors: [UInt32] = []

    /// Open addressing by a colour's hash; at most a quarter is in use. -1 is free.
    private var slots = [Int16](repeating: -1, count: 1024)

    /// The number of colours that a byte can index.
    private static let capacity = 256

    /// Nil for a picture with more than 256 colours.
    init?(of pixmap: Pixmap) {
        let hasRoom = Self.forEachRow(of: pixmap) { row in
            // Most pixels have the colour of their neighbour.
            var last = row[0]
            guard insert(last) else { return false }
            for color in row where color != last {
                guard insert(color) else { return false }
                last = color
            }
            return true
        }
        guard hasRoom else { return nil }
        let all = colors
        colors = []
        slots = [Int16](repeating: -1, count: slots.count)
        for color in all.filter({ Self.alpha($0) < 255 }) + all.filter({ Self.alpha($0) == 255 }) { _ = insert(color) }
    }

    static func alpha(_ color: UInt32) -> UInt8 { withUnsafeBytes(of: color) { $0[3] } }

    /// Passes each row to `body` as indices of its colours.
    func forEachRow(of pixmap: Pixmap, _ body: ([UInt8]) throws(EncodingError) -> Void) throws(EncodingError) {
        var indices = [UInt8](repeating: 0, count: pixmap.size.width)
        try Self.forEachRow(of: pixmap) { row throws(EncodingError) in
            for (x, color) in row.enumerated() { indices[x] = UInt8(slots[slot(of: color)]) }
            try body(indices)
            return true
        }
    }

    /// - Parameter body: returns false to stop.
    /// - Returns: false if `body` stopped.
    @discardableResult
    private static func forEachRow<Failure: Error>(
        of pixmap: Pixmap, _ body: (UnsafeBufferPointer<UInt32>) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        let row = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: pixmap.size.width)
        defer { row.deallocate() }
        for y in 0..<pixmap.size.height {
            pixmap.withRow(y) { StraightPixels.rgba($0, UnsafeMutableRawBufferPointer(row)) }
            if try !body(UnsafeBufferPointer(row)) { return false }
        }
        return true
    }

    /// - Returns: false if the palette is full.
    private mutating func insert(_ color: UInt32) -> Bool {
        let slot = slot(of: color)
        if slots[slot] >= 0 { return true }
        guard colors.count < Self.capacity else { return false }
        slots[slot] = Int16(colors.count)
        colors.append(color)
        return true
    }

    /// The slot of a colour, or the slot for it if it is not present.
    private func slot(of color: UInt32) -> Int {
        // Fibonacci hashing: the top 10 bits of a product with 2^32 divided by the golden ratio.
        var slot = Int((color &* 2_654_435_769) >> 22)
        while slots[slot] >= 0, colors[Int(slots[slot])] != color { slot = (slot + 1) % slots.count }
        return slot
    }
}
