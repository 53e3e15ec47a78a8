import Foundation

/// An animated PNG file with plain frames, for files that no encoder writes.
struct AnimatedPNG {
    struct Frame {
        var (left, top, width, height) = (0, 0, 1, 1)
        var color: [Int] = [0, 0, 0, 255]
        /// 0 keeps the frame, 1 clears its area, 2 restores the earlier content.
        var disposal = 0
        /// 0 replaces pixels, 1 paints over them.
        var blending = 0

        init(
            _ left: Int, _ top: Int, _ width: Int, _ height: Int, _ color: [Int], disposal: Int = 0, blending: Int = 0
        ) {
            (self.left, self.top, self.width, self.height) = (left, top, width, height)
            (self.color, self.disposal, self.blending) = (color, disposal, blending)
        }
    }

    var width = 4
    var height = 4
    var bits = 8
    /// The colour of the still picture, if the still picture is not the first frame.
    var still: [Int]?
    /// The number of frames that the file claims to have; nil for the actual number.
    var claimed: Int?
    var frames: [Frame]

    /// The bytes of one colour in all pixels, with alpha unless the first frame's colour has three values.
    var data: Data {
        let hasAlpha = frames.first.map { $0.color.count == 4 } ?? true
        var file = RawPNG(width: width, height: height, bits: bits, colorType: hasAlpha ? 6 : 2)
        file.chunks = [("acTL", RawPNG.number(claimed ?? frames.count) + RawPNG.number(0))]
        if let still { file.rows = rows(width, height, still) }
        var sequence = 0
        for (index, frame) in frames.enumerated() {
            let control =
                [sequence, frame.width, frame.height, frame.left, frame.top].flatMap(RawPNG.number) + [0, 1, 0, 10]
                + [UInt8(frame.disposal), UInt8(frame.blending)]
            sequence += 1
            let rows = rows(frame.width, frame.height, frame.color)
            if index == 0, still == nil {
                file.chunks.append(("fcTL", control))
                file.rows = rows
                continue
            }
            file.laterChunks.append(("fcTL", control))
            // In two chunks, as encoders write large frames.
            let pixels = RawPNG.pixels(rows)
            for part in [pixels.prefix(5), pixels.dropFirst(5)] {
                file.laterChunks.append(("fdAT", RawPNG.number(sequence) + part))
                sequence += 1
            }
        }
        return file.data
    }

    private func rows(_ width: Int, _ height: Int, _ color: [Int]) -> [[UInt8]] {
        let pixel = color.flatMap { [UInt8](repeating: UInt8($0), count: bits / 8) }
        return [[UInt8]](repeating: (0..<width).flatMap { _ in pixel }, count: height)
    }
}
