import CGTK
import Foundation
import Offstage

/// The content of a widget's window.
struct Screen {
    let width: Int
    let height: Int
    /// Three or four bytes per pixel.
    private let bytes: [UInt8]
    private let stride: Int
    private let channels: Int

    @MainActor
    init(of widget: UnsafeMutablePointer<GtkWidget>) {
        self.init(
            gdk_pixbuf_get_from_window(
                gtk_widget_get_window(widget), 0, 0, gtk_widget_get_allocated_width(widget),
                gtk_widget_get_allocated_height(widget))!)
    }

    /// A PNG; nil if the window has no content.
    init?(contentsOf path: String) {
        guard let pixbuf = gdk_pixbuf_new_from_file(path, nil) else { return nil }
        self.init(pixbuf)
    }

    /// - Parameter pixbuf: this object takes over the reference.
    private init(_ pixbuf: OpaquePointer) {
        defer { g_object_unref(gpointer(pixbuf)) }
        width = Int(gdk_pixbuf_get_width(pixbuf))
        height = Int(gdk_pixbuf_get_height(pixbuf))
        stride = Int(gdk_pixbuf_get_rowstride(pixbuf))
        channels = Int(gdk_pixbuf_get_n_channels(pixbuf))
        let count = stride * (height - 1) + width * channels
        bytes = Array(UnsafeBufferPointer(start: gdk_pixbuf_get_pixels(pixbuf), count: count))
    }

    /// The colour at a position, as 0xRRGGBB.
    subscript(x: Int, y: Int) -> UInt32 {
        let at = y * stride + x * channels
        return UInt32(bytes[at]) << 16 | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2])
    }

    /// The number of pixels that differ.
    func differences(to other: Screen) -> Int {
        guard width == other.width, height == other.height else { return width * height }
        if bytes == other.bytes, channels == other.channels { return 0 }
        return (0..<height).reduce(0) { sum, y in sum + (0..<width).count { self[$0, y] != other[$0, y] } }
    }

    /// The runs of equal colour down a column.
    func runs(x: Int) -> [(color: UInt32, rows: Range<Int>)] {
        var runs: [(color: UInt32, rows: Range<Int>)] = []
        for y in 0..<height {
            let color = self[x, y]
            if runs.last?.color == color {
                runs[runs.count - 1].rows = runs[runs.count - 1].rows.lowerBound..<y + 1
            } else {
                runs.append((color, y..<y + 1))
            }
        }
        return runs
    }

    func write(to path: String) throws {
        let pixmap = Offstage.Pixmap.filled(size: PixelSize(width: width, height: height), isOpaque: true) { memory in
            for y in 0..<height {
                for x in 0..<width {
                    memory.storeBytes(of: 0xFF00_0000 | self[x, y], toByteOffset: 4 * (y * width + x), as: UInt32.self)
                }
            }
        }
        try AtomicFile.write(PNGEncoder().encode(pixmap, scale: 1), to: path)
    }
}
