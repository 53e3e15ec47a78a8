import Foundation

extension InkTexture {
    /// The text form in InkML and Xournal++ files: the names of the shape and of the rotation, and numbers. The worker
    /// program reads it.
    var text: String {
        var text = TextBytes()
        text.add("\(shape.name) \(rotation.rawValue)")
        for number in [spacing, angle, opacity, jitter.position, jitter.angle, jitter.size, jitter.opacity, start] {
            text.add(UInt8(ascii: " "))
            text.add(number, decimals: 6)
        }
        text.add(" \(buildsUp ? 1 : 0) \(seed)")
        if let image { text.add(" \(String(image.identity, radix: 16))") }
        return String(decoding: text.data, as: UTF8.self)
    }
}

extension InkTextureImage {
    /// The side and the pixels in base64.
    var text: String { "\(side) \(opacities.base64EncodedString())" }
}
