import Foundation

extension Pixmap {
    /// The pixel that all are like, in memory order; nil where two differ. A picture that shows something is known within
    /// its first rows.
    package var onlyPixel: UInt32? {
        withRow(0) { first in
            let pixel = first.load(as: UInt32.self)
            // A row is of one colour if each pixel is like the one after it.
            guard memcmp(first.baseAddress!, first.baseAddress! + 4, first.count - 4) == 0 else { return nil }
            for y in 1..<max(size.height, 1) {
                let isSame = withRow(y) { memcmp($0.baseAddress!, first.baseAddress!, first.count) == 0 }
                if !isSame { return nil }
            }
            return pixel
        }
    }
}
