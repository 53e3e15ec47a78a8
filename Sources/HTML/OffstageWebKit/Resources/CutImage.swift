import Foundation

/// Finds truncated PNG, JPEG and WebP files. WebKit shows the existing part of them, or nothing, and reports no error.
/// `images.js` does the same for data URIs.
enum CutImage {
    static func isCut(_ file: Data) -> Bool {
        file.withUnsafeBytes { bytes in
            if bytes.count > 8, bytes[0] == 0x89, bytes.has("png", at: 1) { return isCutPNG(bytes) }
            if bytes.count > 2, bytes[0] == 0xFF, bytes[1] == 0xD8 { return isCutJPEG(bytes) }
            if bytes.has("riff", at: 0), bytes.has("webp", at: 8) {
                let size = (0..<4).reduce(0) { $0 | Int(bytes[4 + $1]) << (8 * $1) }
                // Some programs leave out the byte that makes the length even.
                return size + 8 > bytes.count + 1
            }
            return false
        }
    }

    /// Follows the chunks to the one that ends the file.
    private static func isCutPNG(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var place = 8
        while place + 12 <= bytes.count {
            if bytes.has("iend", at: place + 4) { return false }
            place += 12 + (0..<4).reduce(0) { $0 << 8 | Int(bytes[place + $1]) }
        }
        return true
    }

    /// Follows the segments to the first one with pixels. After it, the end marker is unambiguous.
    private static func isCutJPEG(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var place = 2
        while place + 4 <= bytes.count, bytes[place] == 0xFF {
            switch bytes[place + 1] {
            case 0xFF: place += 1
            case 0xDA:
                for index in place..<bytes.count - 1 where bytes[index] == 0xFF && bytes[index + 1] == 0xD9 {
                    return false
                }
                return true
            default: place += 2 + (Int(bytes[place + 2]) << 8 | Int(bytes[place + 3]))
            }
        }
        // The file ends before its pixels, or is not a JPEG file: an image that cannot be decoded.
        return false
    }
}
