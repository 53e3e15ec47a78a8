import Foundation

/// An ICC profile of version 2, grey or with sRGB's primaries, and with a power curve.
struct RawProfile {
    var name = "a profile"
    var gamma = 1.0
    var isGray = false

    private func number(_ value: Int, _ count: Int = 4) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    private func fixed(_ value: Double) -> [UInt8] { number(Int((value * 65536).rounded())) }

    private func xyz(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
        Array("XYZ ".utf8) + number(0) + fixed(x) + fixed(y) + fixed(z)
    }

    var bytes: [UInt8] {
        let curve = Array("curv".utf8) + number(0) + number(1) + number(Int((gamma * 256).rounded()), 2) + [0, 0]
        let text =
            Array("desc".utf8) + number(0) + number(name.utf8.count + 1) + Array(name.utf8) + [0] + number(0)
            + number(0)
            + number(0, 2) + [UInt8](repeating: 0, count: 68)
        var tags: [(String, [UInt8])] = [("desc", text), ("wtpt", xyz(0.9642, 1, 0.8249))]
        if isGray {
            tags.append(("kTRC", curve))
        } else {
            tags += [("rXYZ", xyz(0.4360, 0.2225, 0.0139)), ("gXYZ", xyz(0.3851, 0.7169, 0.0971))]
            tags += [("bXYZ", xyz(0.1431, 0.0606, 0.7141)), ("rTRC", curve), ("gTRC", curve), ("bTRC", curve)]
        }
        var (table, content): ([UInt8], [UInt8]) = (number(tags.count), [])
        for (tag, bytes) in tags {
            table += Array(tag.utf8) + number(132 + 12 * tags.count + content.count) + number(bytes.count)
            content += bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
        }
        var head = number(128 + table.count + content.count) + number(0) + number(0x0210_0000)
        head += Array("mntr".utf8) + Array((isGray ? "GRAY" : "RGB ").utf8) + Array("XYZ ".utf8)
        head += [UInt8](repeating: 0, count: 12) + Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
        head += fixed(0.9642) + fixed(1) + fixed(0.8249)
        return head + [UInt8](repeating: 0, count: 128 - head.count) + table + content
    }
}
