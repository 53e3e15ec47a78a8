/// Reads the pixel size of an image from its first bytes.
enum ImageHeader {
    /// WebKit does not decode images with this many pixels or more. They appear as broken images.
    private static let most = 1 << 29

    /// - Returns: Pixels once decoded. Nil if the bytes are not a pixel image, and for images that WebKit does not decode.
    static func pixels(of bytes: UnsafeRawBufferPointer) -> Int? {
        guard let (width, height) = size(of: bytes) else { return nil }
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow || pixels >= most ? nil : pixels
    }

    private typealias Size = (width: Int, height: Int)

    private static func size(of bytes: UnsafeRawBufferPointer) -> Size? {
        let reader = Reader(bytes: bytes)
        if reader.has("PNG\r\n", at: 1) { return reader.big(16, 4, 20, 4) }
        if reader.has("GIF8", at: 0) { return reader.little(6, 2, 8, 2) }
        if reader.has("RIFF", at: 0), reader.has("WEBP", at: 8) { return webP(reader) }
        if reader.has("BM", at: 0) { return bitmap(reader) }
        if reader.has("ftyp", at: 4) { return isoMedia(reader) }
        if reader.big(0, 2) == 0xFFD8 { return jpeg(reader) }
        if reader.big(0, 2) == 0, let kind = reader.little(2, 2), kind == 1 || kind == 2 { return icons(reader) }
        return nil
    }

    private static func bitmap(_ reader: Reader) -> Size? {
        if reader.little(14, 4) == 12 { return reader.little(18, 2, 20, 2) }
        // A negative height means that the first row is the top one.
        guard let (width, height) = reader.little(18, 4, 22, 4) else { return nil }
        return (abs(Int(Int32(truncatingIfNeeded: width))), abs(Int(Int32(truncatingIfNeeded: height))))
    }

    private static func webP(_ reader: Reader) -> Size? {
        if reader.has("VP8X", at: 12), let (width, height) = reader.little(24, 3, 27, 3) {
            return (width + 1, height + 1)
        }
        if reader.has("VP8L", at: 12), let bits = reader.little(21, 4) {
            return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        }
        guard let (width, height) = reader.little(26, 2, 28, 2) else { return nil }
        return (width & 0x3FFF, height & 0x3FFF)
    }

    /// The size of the largest icon. An icon may be a PNG.
    private static func icons(_ reader: Reader) -> Size? {
        var largest: Size?
        for index in 0..<min(reader.little(4, 2) ?? 0, 64) {
            let entry = 6 + 16 * index
            guard var (width, height) = reader.big(entry, 1, entry + 1, 1) else { break }
            (width, height) = (width == 0 ? 256 : width, height == 0 ? 256 : height)
            if let place = reader.little(entry + 12, 4), place < reader.bytes.count,
                let inner = png(UnsafeRawBufferPointer(rebasing: reader.bytes[place...]))
            {
                (width, height) = (max(width, inner.width), max(height, inner.height))
            }
            if width * height > (largest.map { $0.width * $0.height } ?? 0) { largest = (width, height) }
        }
        return largest
    }

    private static func png(_ bytes: UnsafeRawBufferPointer) -> Size? {
        let reader = Reader(bytes: bytes)
        return reader.has("PNG\r\n", at: 1) ? reader.big(16, 4, 20, 4) : nil
    }

    /// AVIF: the largest size among its items. One of them is the whole image.
    private static func isoMedia(_ reader: Reader) -> Size? {
        var largest: Size?
        for place in 8..<min(reader.bytes.count, 16_384) where reader.has("ispe", at: place) {
            guard let (width, height) = reader.big(place + 8, 4, place + 12, 4) else { continue }
            if width * height > (largest.map { $0.width * $0.height } ?? 0) { largest = (width, height) }
        }
        return largest
    }

    /// Follows the segments up to the one that starts the frame.
    private static func jpeg(_ reader: Reader) -> Size? {
        var place = 2
        while let marker = reader.big(place, 1, place + 1, 1) {
            guard marker.width == 0xFF else { return nil }
            switch marker.height {
            case 0xFF: place += 1
            case 0x01, 0xD0...0xD8: place += 2
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker.height):
                return reader.big(place + 7, 2, place + 5, 2)
            default:
                guard let length = reader.big(place + 2, 2), length >= 2 else { return nil }
                place += 2 + length
            }
        }
        return nil
    }

    /// Reads numbers at offsets of the bytes. Nil beyond their end.
    private struct Reader {
        let bytes: UnsafeRawBufferPointer

        func has(_ word: StaticString, at place: Int) -> Bool {
            guard place + word.utf8CodeUnitCount <= bytes.count else { return false }
            return (0..<word.utf8CodeUnitCount).allSatisfy { bytes[place + $0] == word.utf8Start[$0] }
        }

        func big(_ place: Int, _ count: Int) -> Int? {
            guard place + count <= bytes.count else { return nil }
            return bytes[place..<(place + count)].reduce(0) { $0 << 8 | Int($1) }
        }

        func little(_ place: Int, _ count: Int) -> Int? {
            guard place + count <= bytes.count else { return nil }
            return bytes[place..<(place + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
        }

        func big(_ first: Int, _ firstCount: Int, _ second: Int, _ secondCount: Int) -> Size? {
            guard let width = big(first, firstCount), let height = big(second, secondCount) else { return nil }
            return (width, height)
        }

        func little(_ first: Int, _ firstCount: Int, _ second: Int, _ secondCount: Int) -> Size? {
            guard let width = little(first, firstCount), let height = little(second, secondCount) else { return nil }
            return (width, height)
        }
    }
}
