import Benchmarking
import Foundation

/// Draws photos as small pictures, compared with another program if it is installed.
struct PhotosWorkload: Workload {
    static let name = "photos"
    static let summary = "JPEG photos of 12 MP to 400 px; beside vipsthumbnail, if it is installed"
    static let repetitions = (full: 5, quick: 2)

    private static let peer = "/usr/bin/vipsthumbnail"
    private var (input, count) = ("", 0)

    mutating func prepare(_ bench: Bench) throws {
        count = bench.isQuick ? 12 : 200
        input = try bench.photos(count)
    }

    func measure(_ bench: Bench) throws {
        try bench.measureDrawing(input, count: count, as: "photos", "A photo of 12 MP", unit: "ms a photo", jobs: 2)
        guard access(Self.peer, X_OK) == 0 else { return }
        let files = try FileManager.default.contentsOfDirectory(atPath: input).map { input + "/" + $0 }
        let folder = try bench.emptyFolder("photos-peer")
        let run = try bench.run([Self.peer, "--size", "400x", "-o", folder + "/%s.png"] + files)
        bench.measures.add(
            "photos.vipsthumbnail.processors", "The same with vipsthumbnail: processor time", unit: "CPU ms a photo",
            run.processors * 1000 / Double(count))
    }
}

extension Bench {
    /// A JPEG photo of 4,002 × 3,000 px with the subsampling of most cameras, made from a picture of a snippet.
    func photo() throws -> String {
        let page = work + "/photo.html"
        let html = "<!doctype html><body style='margin:0'><img src='assets/img/alpine@2x.jpg' width=1334 height=1000>"
        try Data(html.utf8).write(to: URL(fileURLWithPath: page))
        let photo = work + "/photo.jpg"
        _ = try run([
            program, "render", page, "--base", options.root + "/Snippets", "-o", photo, "--width", "1334", "--height",
            "1000", "--scale", "3", "--format", "jpeg:quality=88,subsampling=4:2:0", "--no-cache", "--quiet",
        ])
        return photo
    }

    /// Several photos, no two of which have the same bytes.
    fileprivate func photos(_ count: Int) throws -> String {
        try folder("photos-\(count)") { folder in
            let data = try Data(contentsOf: URL(fileURLWithPath: photo()))
            for number in 0..<count {
                // Bytes after the end of a JPEG file are ignored.
                try (data + Data("\(number)".utf8)).write(to: URL(fileURLWithPath: "\(folder)/photo-\(number).jpg"))
            }
        }
    }
}
