import Foundation
import Offstage

/// Netpbm's Portable Arbitrary Map: a few lines of text, then straight RGBA.
struct PAMEncoder: PictureEncoder {
    let fileExtension = "pam"

    func encode(_ pixmap: Pixmap, scale: Double) throws(EncodingError) -> Data {
        let size = pixmap.size
        var data = Data(
            "P7\nWIDTH \(size.width)\nHEIGHT \(size.height)\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n".utf8)
        data.reserveCapacity(data.count + 4 * size.width * size.height)
        for y in 0..<size.height {
            pixmap.withRow(y) { row in
                for x in stride(from: 0, to: row.count, by: 4) {
                    // A pixmap's colours are premultiplied.
                    let alpha = Int(row[x + 3])
                    for color in [row[x + 2], row[x + 1], row[x]] {
                        data.append(alpha == 0 ? 0 : UInt8(min(255, (Int(color) * 255 + alpha / 2) / alpha)))
                    }
                    data.append(row[x + 3])
                }
            }
        }
        return data
    }
}
