internal import COffstageSystem
import Foundation
import Offstage

/// Runs poppler's program `pdftocairo` on a document of one page. It is a separate process because poppler's
/// licence, the GPL, would apply to a program that links it. Its input and output are files in memory, and it has
/// limits.
package struct PDFToCairo {
    /// A page with one point per CSS px.
    let document: Data

    /// The program's file; nil if it is not installed. Call it from any thread.
    package static let path: String? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        return folders.map { $0 + "/pdftocairo" }.first { access($0, X_OK) == 0 }
    }()

    /// Limits: seconds of processor time, bytes of address space, and bytes of output.
    private static let (time, memory, output) = (60, 4 << 30, 1 << 30)

    /// An SVG file whose text is outlines.
    func svg() throws(EncodingError) -> Data {
        let file = try run(["-svg"], end: Data("</svg>\n".utf8))
        // cairo writes the page's size in points.
        guard let end = file.range(of: Data("viewBox=".utf8)) else { throw Self.error("it wrote no SVG file") }
        var head = String(decoding: file[..<end.lowerBound], as: UTF8.self)
        head = head.replacing("pt\"", with: "px\"")
        return Data(head.utf8) + file[end.lowerBound...]
    }

    /// The page's pixels.
    ///
    /// - Parameter scale: device px per CSS px.
    func pixmap(scale: Double, isOpaque: Bool) throws(EncodingError) -> Pixmap {
        let file = try run(["-png", "-singlefile", "-transp", "-r", String(72 * scale)], end: Self.endOfPNG)
        guard let pixmap = PNGDecoder.decode(file, isOpaque: isOpaque) else { throw Self.error("it wrote no PNG file") }
        return pixmap
    }

    /// The last chunk of a PNG file, with its checksum.
    private static let endOfPNG = Data("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]

    /// - Parameter end: the last bytes of a complete file. A file that lacks them was cut short.
    private func run(_ options: [String], end: Data) throws(EncodingError) -> Data {
        let files = (0..<3).map { _ in
            FileHandle(fileDescriptor: offstage_memory_file("offstage-page"), closeOnDealloc: true)
        }
        guard files.allSatisfy({ $0.fileDescriptor >= 0 }) else { throw Self.error("no memory for its data") }
        do {
            try files[0].write(contentsOf: document)
            try files[0].seek(toOffset: 0)
        } catch { throw Self.error("no memory for the document") }
        let status = Self.wait(for: try Self.start(options + ["-", "-"], files))
        guard status == nil || status == 0, let output = Self.content(of: files[1]), output.suffix(end.count) == end
        else {
            let words = Self.content(of: files[2]).flatMap {
                String(decoding: $0, as: UTF8.self).split(separator: "\n").first
            }
            let result = status.map { "it ended with status \($0)" } ?? "it ended early"
            throw Self.error(words.map(String.init) ?? result)
        }
        return output
    }

    private static func start(_ arguments: [String], _ files: [FileHandle]) throws(EncodingError) -> pid_t {
        guard let path else { throw error("not installed; install poppler-utils") }
        var pointers = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        let process = offstage_spawn(&pointers, files.map(\.fileDescriptor), Int32(files.count))
        if process < 0 { throw error(String(cString: strerror(errno))) }
        offstage_limit(process, Int32(time), memory, output)
        return process
    }

    /// Waits for a process to end, on the calling thread: `offstage_spawn` ends the process with its thread.
    ///
    /// - Returns: nil if the status is unknown, because the program ignores SIGCHLD, or another part of the program has
    ///   reaped the process. In either case, the process has ended.
    private static func wait(for process: pid_t) -> Int32? {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { if errno != EINTR { return nil } }
        return status
    }

    private static func content(of file: FileHandle) -> Data? {
        try? file.seek(toOffset: 0)
        return try? file.readToEnd()
    }

    private static func error(_ text: String) -> EncodingError { EncodingError("pdftocairo: \(text)") }
}
