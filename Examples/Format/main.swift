import Foundation
import Offstage

// Writes a picture in a custom format: format FILE
guard let path = CommandLine.arguments.dropFirst().first else {
    print("usage: format FILE")
    exit(2)
}
// A gradient from black to blue. Pixels are premultiplied BGRA.
let size = PixelSize(width: 256, height: 60)
let pixmap = Pixmap.filled(size: size, isOpaque: true) { bytes in
    for pixel in 0..<size.width * size.height {
        bytes[4 * pixel] = UInt8(pixel % size.width)
        (bytes[4 * pixel + 1], bytes[4 * pixel + 2], bytes[4 * pixel + 3]) = (0, 0, 255)
    }
}
do {
    try AtomicFile.write(try PAMEncoder().encode(pixmap, scale: 1), to: path)
} catch {
    print("\(error)")
    exit(1)
}
