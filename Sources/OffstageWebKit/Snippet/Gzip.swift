import CWebKitGTK
import Foundation

/// Files packed with gzip, as SVG files may be, whatever their names.
enum Gzip {
    static func isPacked(_ data: Data) -> Bool { data.starts(with: [0x1F, 0x8B, 0x08]) }

    /// - Parameters:
    ///   - data: The packed file.
    ///   - limit: The maximum number of bytes. For a larger file, the result is its beginning, longer than this.
    /// - Returns: nil for a damaged file.
    static func unpacked(_ data: Data, limit: Int) -> Data? {
        let converter = g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP)!
        defer { g_object_unref(UnsafeMutableRawPointer(converter)) }
        var (result, place) = (Data(), 0)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while result.count <= limit {
            var (read, written): (gsize, gsize) = (0, 0)
            var error: UnsafeMutablePointer<GError>?
            let state = data.withUnsafeBytes { bytes in
                g_converter_convert(
                    converter, bytes.baseAddress! + place, gsize(bytes.count - place), &buffer, gsize(buffer.count),
                    G_CONVERTER_INPUT_AT_END, &read, &written, &error)
            }
            if state == G_CONVERTER_ERROR {
                g_error_free(error)
                return nil
            }
            result.append(contentsOf: buffer[..<Int(written)])
            place += Int(read)
            if state == G_CONVERTER_FINISHED { return result }
        }
        return result
    }
}

extension Snippet {
    /// Unpacks an SVG file. A damaged file is left unchanged and causes an error later. Only for files: a service must
    /// not use more memory than a client sends.
    mutating func unpack() {
        guard type == .svg, Gzip.isPacked(html), let unpacked = Gzip.unpacked(html, limit: limits.inputBytes) else {
            return
        }
        html = unpacked
    }
}
