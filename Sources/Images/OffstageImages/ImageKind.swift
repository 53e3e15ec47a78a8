import COffstageWire
import Foundation

/// A kind of image file, recognized by its first bytes. A file's extension does not matter.
public enum ImageKind: String, Sendable, Hashable, CaseIterable {
    case jpeg = "JPEG"
    case png = "PNG"
    case webp = "WebP"
    case gif = "GIF"
    case tiff = "TIFF"
    case bmp = "BMP"
    case ico = "ICO"
    case heic = "HEIC"
    case avif = "AVIF"
    case jpeg2000 = "JPEG 2000"
    case jpegXL = "JPEG XL"

    /// Recognizes a file.
    ///
    /// - Parameter data: the file, or at least its first 32 bytes.
    /// - Returns: nil for a file of another kind.
    public init?(of data: Data) {
        let head = [UInt8](data.prefix(32))
        func has(_ bytes: [UInt8], at offset: Int = 0) -> Bool {
            head.count >= offset + bytes.count && Array(head[offset..<offset + bytes.count]) == bytes
        }
        func has(_ text: String, at offset: Int = 0) -> Bool { has(Array(text.utf8), at: offset) }
        if has([0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if has("RIFF"), has("WEBP", at: 8) {
            self = .webp
        } else if has("GIF87a") || has("GIF89a") {
            self = .gif
        } else if has([0x49, 0x49, 0x2A, 0]) || has([0x4D, 0x4D, 0, 0x2A]) || has([0x49, 0x49, 0x2B, 0])
            || has([0x4D, 0x4D, 0, 0x2B])
        {
            self = .tiff
        } else if has("BM"), head.count >= 18, [12, 40, 52, 56, 64, 108, 124].contains(head[14]),
            head[15..<18].allSatisfy({ $0 == 0 })
        {
            self = .bmp
        } else if has([0, 0, 1, 0]), head.count >= 6, head[4] > 0 || head[5] > 0 {
            self = .ico
        } else if has("ftyp", at: 4) {
            // The major brand, then the version, then the compatible brands.
            let brands = stride(from: 8, to: head.count - 3, by: 4).filter { $0 != 12 }.map {
                String(decoding: head[$0..<$0 + 4], as: UTF8.self)
            }
            if brands.contains("avif") || brands.contains("avis") {
                self = .avif
            } else if brands.contains(where: {
                ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"].contains($0)
            }) {
                self = .heic
            } else {
                return nil
            }
        } else if has([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20]) || has([0xFF, 0x4F, 0xFF, 0x51]) {
            self = .jpeg2000
        } else if has([0xFF, 0x0A]) || has([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20]) {
            self = .jpegXL
        } else {
            return nil
        }
    }

    /// True for a kind that needs a large library, so that a separate program decodes it.
    var isRare: Bool {
        switch self {
        case .jpeg, .png, .webp, .gif, .tiff: false
        case .bmp, .ico, .heic, .avif, .jpeg2000, .jpegXL: true
        }
    }

    /// The number in the worker's options.
    var number: UInt32 {
        switch self {
        case .jpeg: OFFSTAGE_IMAGE_JPEG.rawValue
        case .png: OFFSTAGE_IMAGE_PNG.rawValue
        case .webp: OFFSTAGE_IMAGE_WEBP.rawValue
        case .gif: OFFSTAGE_IMAGE_GIF.rawValue
        case .tiff: OFFSTAGE_IMAGE_TIFF.rawValue
        case .bmp: OFFSTAGE_IMAGE_BMP.rawValue
        case .ico: OFFSTAGE_IMAGE_ICO.rawValue
        case .heic, .avif: OFFSTAGE_IMAGE_HEIF.rawValue
        case .jpeg2000: OFFSTAGE_IMAGE_JPEG_2000.rawValue
        case .jpegXL: OFFSTAGE_IMAGE_JPEG_XL.rawValue
        }
    }
}
