import Foundation

extension Pixmap {
    /// The pixel that all pixels equal, in memory order; nil if two of them differ. Usually, the first rows already
    /// show a difference.
    package var onlyPixel: UInt32? {
        withRow(0) { first in
            let pixel = first.load(as: UInt32.self)
            // A row has one colour if each pixel equals the next one.
            guard memcmp(first.baseAddress!, first.baseAddress! + 4, first.count - 4) == 0 else { return nil }
            for y in 1..<max(size.height, 1) {
                let isSame = withRow(y) { memcmp($0.baseAddress!, first.baseAddress!, first.count) == 0 }
                if !isSame { return nil }
            }
            return pixel
        }
    }
}
