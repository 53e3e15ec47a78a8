internal import COffstageDeflate
import Foundation
import Offstage

/// Unpacks gzip files. An SVG file may be packed with gzip, whatever its name.
package enum Gzip {
    package static func isPacked(_ data: Data) -> Bool { data.starts(with: [0x1F, 0x8B, 0x08]) }

    /// - Parameters:
    ///   - data: The packed file.
    ///   - limit: The maximum size in bytes. For a larger file, the result is only its beginning, which is longer than
    ///     this.
    /// - Returns: nil for a damaged file.
    package static func unpacked(_ data: Data, limit: Int) -> Data? {
        let state = UnsafeMutableRawPointer.allocate(byteCount: offstage_gunzip_size(), alignment: 16)
        defer { state.deallocate() }
        let gunzip = OpaquePointer(state)
        return data.withUnsafeBytes { bytes in
            offstage_gunzip_begin(gunzip, bytes.baseAddress, bytes.count)
            var result = Data()
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while result.count <= limit {
                let count = offstage_gunzip_read(gunzip, &buffer, buffer.count)
                if count < 0 { return nil }
                result.append(contentsOf: buffer[..<count])
                if count < buffer.count { break }
            }
            return result
        }
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
