import Benchmarking
import Foundation

/// Draws image files of several kinds as small pictures, compared with another program if it is installed.
struct ImagesWorkload: Workload {
    static let name = "images"
    static let summary = "PNG, WebP, TIFF, AVIF and HEIC files to 400 px; beside vipsthumbnail, if it is installed"
    static let repetitions = (full: 3, quick: 1)

    private struct Kind {
        var name: String
        /// ImageMagick's options to write a file of the photo.
        var options: [String]
    }

    private static let kinds = [
        Kind(name: "png", options: ["-resize", "50%"]), Kind(name: "webp", options: ["-quality", "80"]),
        Kind(name: "tiff", options: ["-compress", "LZW", "-define", "tiff:predictor=2"]),
        Kind(name: "avif", options: ["-resize", "50%", "-quality", "60"]),
        Kind(name: "heic", options: ["-resize", "50%", "-quality", "60"]),
    ]

    private static let peer = "/usr/bin/vipsthumbnail"
    private var inputs: [(kind: String, folder: String)] = []
    private var count = 0

    /// A kind that ImageMagick cannot write on this machine is skipped.
    mutating func prepare(_ bench: Bench) throws {
        count = bench.isQuick ? 6 : 60
        let photo = try bench.photo()
        for kind in Self.kinds {
            let file = "\(bench.work)/photo.\(kind.name)"
            let made = try? bench.run(["/usr/bin/env", "convert", photo] + kind.options + [file])
            guard made != nil, let data = FileManager.default.contents(atPath: file) else { continue }
            let folder = try bench.folder("images-\(kind.name)-\(count)") { folder in
                for number in 0..<count {
                    try Self.file(data, kind.name, number).write(
                        to: URL(fileURLWithPath: "\(folder)/\(number).\(kind.name)"))
                }
            }
            inputs.append((kind.name, folder))
        }
        guard !inputs.isEmpty else { throw LeftOut(reason: "it needs ImageMagick") }
    }

    /// The file with additional bytes that are ignored, because copies of one file would be decoded only once.
    private static func file(_ data: Data, _ kind: String, _ number: Int) -> Data {
        let text = String(format: "%08d", number)
        // AVIF and HEIC files consist of boxes; `free` is a box without meaning.
        let isBoxed = kind == "avif" || kind == "heic"
        return data + (isBoxed ? Data([0, 0, 0, 16]) + Data("free".utf8) : Data()) + Data(text.utf8)
    }

    func measure(_ bench: Bench) throws {
        for (kind, folder) in inputs {
            let output = try bench.emptyFolder("images-out")
            try add(
                bench, "offstage", kind,
                bench.render(folder, into: output, "--no-cache", "--jobs", "2", "--width", "400"))
            guard access(Self.peer, X_OK) == 0 else { continue }
            let files = try FileManager.default.contentsOfDirectory(atPath: folder).map { folder + "/" + $0 }
            try add(bench, "vipsthumbnail", kind, [Self.peer, "--size", "400x", "-o", output + "/%s.png"] + files)
        }
    }

    private func add(_ bench: Bench, _ program: String, _ kind: String, _ command: [String]) throws {
        let run = try bench.run(command)
        let (name, title) = ("images.\(program).\(kind)", "A file of kind \(kind), \(program)")
        bench.measures.add(name, title, unit: "ms", run.seconds * 1000 / Double(count))
        bench.measures.add(
            name + ".processors", title + ": processor time", unit: "CPU ms", run.processors * 1000 / Double(count))
    }
}
