import Foundation
import Offstage

/// A PNG of one colour.
func flatPNG(_ color: Pixel, width: Int = 10, height: Int = 10) -> Data {
    let pixmap = Pixmap.filled(size: PixelSize(width: width, height: height), isOpaque: true) { memory in
        for i in stride(from: 0, to: memory.count, by: 4) {
            memory[i] = color.blue
            memory[i + 1] = color.green
            memory[i + 2] = color.red
            memory[i + 3] = 255
        }
    }
    // Encoding a picture of this size can fail only if there is too little memory.
    return try! PNGEncoder().encode(pixmap, scale: 1)
}

/// The same PNG as a data URI.
func flatURI(_ color: Pixel, width: Int = 10, height: Int = 10) -> String {
    "data:image/png;base64," + flatPNG(color, width: width, height: height).base64EncodedString()
}
