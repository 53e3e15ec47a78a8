import Foundation
import Offstage

/// The objects of a PDF file, in order, and the table of their offsets.
struct PDFBytes {
    private var data = Data("%PDF-1.7\n%\u{E2}\u{E3}\u{CF}\u{D3}\n".utf8)
    private var places: [Int] = []

    static func text(_ number: Float) -> String {
        var text = TextBytes()
        text.add(number, decimals: 4)
        return String(decoding: text.data, as: UTF8.self)
    }

    /// - Returns: the first of the reserved numbers.
    mutating func reserve(_ count: Int) -> Int {
        defer { places += [Int](repeating: 0, count: count) }
        return places.count + 1
    }

    mutating func add(_ number: Int, _ content: String) {
        places[number - 1] = data.count
        data += Data("\(number) 0 obj\n\(content)\nendobj\n".utf8)
    }

    /// - Parameter entries: the dictionary's entries, besides the length and the filter.
    mutating func addStream(_ number: Int, _ entries: String, _ bytes: Data) {
        let packed = Gzip.zlib(bytes)
        places[number - 1] = data.count
        data += Data("\(number) 0 obj\n<<\(entries)/Filter/FlateDecode/Length \(packed.count)>>\nstream\n".utf8)
        data += packed + Data("\nendstream\nendobj\n".utf8)
    }

    mutating func addImage(_ pixmap: Pixmap) -> Int {
        let number = reserve(1)
        let count = pixmap.size.width * pixmap.size.height
        var (rgb, opacity) = ([UInt8](), [UInt8]())
        rgb.reserveCapacity(3 * count)
        for y in 0..<pixmap.size.height {
            pixmap.withRow(y) { row in
                for x in stride(from: 0, to: 4 * pixmap.size.width, by: 4) {
                    let alpha = Int(row[x + 3])
                    // Colours in PDF are not premultiplied.
                    for part in [row[x + 2], row[x + 1], row[x]] {
                        rgb.append(
                            alpha == 255 || alpha == 0 ? part : UInt8(min(255, (Int(part) * 255 + alpha / 2) / alpha)))
                    }
                    if !pixmap.isOpaque { opacity.append(row[x + 3]) }
                }
            }
        }
        let size = "/Width \(pixmap.size.width)/Height \(pixmap.size.height)"
        var mask = ""
        if !opacity.isEmpty {
            let number = reserve(1)
            addStream(
                number, "/Type/XObject/Subtype/Image\(size)/ColorSpace/DeviceGray/BitsPerComponent 8", Data(opacity))
            mask = "/SMask \(number) 0 R"
        }
        addStream(
            number,
            "/Type/XObject/Subtype/Image\(size)/ColorSpace/DeviceRGB/BitsPerComponent 8\(mask)", Data(rgb))
        return number
    }

    var finished: Data {
        var data = data
        let start = data.count
        var table = "xref\n0 \(places.count + 1)\n0000000000 65535 f \n"
        for place in places {
            let digits = String(place)
            table += String(repeating: "0", count: max(0, 10 - digits.count)) + digits + " 00000 n \n"
        }
        data += Data("\(table)trailer\n<</Size \(places.count + 1)/Root 1 0 R>>\nstartxref\n\(start)\n%%EOF\n".utf8)
        return data
    }
}
