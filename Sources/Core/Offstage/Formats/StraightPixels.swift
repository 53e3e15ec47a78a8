/// Converts premultiplied BGRA, which engines paint, to straight components, which files store.
enum StraightPixels {
    /// Drops alpha, for opaque pictures. `out` has 3 bytes per pixel.
    static func rgb(_ bgra: UnsafeRawBufferPointer, _ out: UnsafeMutableRawBufferPointer) {
        let source = bgra.assumingMemoryBound(to: UInt8.self)
        let target = out.assumingMemoryBound(to: UInt8.self)
        var to = 0
        for from in stride(from: 0, to: source.count, by: 4) {
            target[to] = source[from + 2]
            target[to + 1] = source[from + 1]
            target[to + 2] = source[from]
            to += 3
        }
    }

    /// Divides by alpha and rounds to nearest; a fully transparent pixel becomes all zero. `out` has 4 bytes per pixel.
    static func rgba(_ bgra: UnsafeRawBufferPointer, _ out: UnsafeMutableRawBufferPointer) {
        divide(bgra, out, red: 0, blue: 2)
    }

    /// Divides by alpha like `rgba`, and keeps the order of the components.
    static func bgra(_ bgra: UnsafeRawBufferPointer, _ out: UnsafeMutableRawBufferPointer) {
        divide(bgra, out, red: 2, blue: 0)
    }

    /// - Parameters:
    ///   - red: the index of red within a pixel of `out`.
    ///   - blue: the index of blue.
    @inline(__always)
    private static func divide(
        _ bgra: UnsafeRawBufferPointer, _ out: UnsafeMutableRawBufferPointer, red: Int, blue: Int
    ) {
        let source = bgra.assumingMemoryBound(to: UInt8.self)
        let target = out.assumingMemoryBound(to: UInt8.self)
        for i in stride(from: 0, to: source.count, by: 4) {
            let alpha = UInt32(source[i + 3])
            if alpha == 255 {
                (target[i + red], target[i + 1], target[i + blue]) = (source[i + 2], source[i + 1], source[i])
            } else if alpha == 0 {
                (target[i], target[i + 1], target[i + 2]) = (0, 0, 0)
            } else {
                target[i + red] = straight(source[i + 2], alpha)
                target[i + 1] = straight(source[i + 1], alpha)
                target[i + blue] = straight(source[i], alpha)
            }
            target[i + 3] = UInt8(alpha)
        }
    }

    /// A painter may round a component to one more than its alpha, so clamp it.
    private static func straight(_ component: UInt8, _ alpha: UInt32) -> UInt8 {
        UInt8(min(255, (UInt32(component) * 255 + alpha / 2) / alpha))
    }
}
