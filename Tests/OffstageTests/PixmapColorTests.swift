import Offstage
import Testing

/// Detection of pictures with one colour.
@Suite struct PixmapColorTests {
    /// The gap between rows is not part of the picture.
    private func pixmap(width: Int, height: Int, other: (Int, Int)? = nil) -> Pixmap {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 * (width + 2) * height, alignment: 16)
        let pixels = memory.bindMemory(to: UInt32.self)
        for index in pixels.indices { pixels[index] = index % (width + 2) < width ? 0xFF11_2233 : UInt32(index) }
        if let (x, y) = other { pixels[y * (width + 2) + x] = 0xFF11_2234 }
        let address = UInt(bitPattern: memory.baseAddress)
        return Pixmap(
            base: memory.baseAddress!, size: PixelSize(width: width, height: height), bytesPerRow: 4 * (width + 2),
            isOpaque: true
        ) { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
    }

    @Test(arguments: [(1, 1), (1, 7), (7, 1), (5, 3)]) func oneColour(width: Int, height: Int) {
        #expect(pixmap(width: width, height: height).onlyPixel == 0xFF11_2233)
    }

    @Test func aPixelAnywhereIsSeen() {
        for y in 0..<3 {
            for x in 0..<5 { #expect(pixmap(width: 5, height: 3, other: (x, y)).onlyPixel == nil) }
        }
    }
}
