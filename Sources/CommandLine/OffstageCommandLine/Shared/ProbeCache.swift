import Foundation
import Offstage
import OffstageShared

/// The digests of workers' drawings from an earlier start of the program, so that they do not delay the start of a
/// service.
///
/// They are valid for the same programs and libraries, on the same processors, until the machine is booted again: a cache may have been
/// copied from another machine.
struct ProbeCache {
    private struct Content: Codable {
        var key: String
        var parts: [ClassPart]
    }

    private let file: String
    private let key: String

    /// Nil without a cache, or if the processors are unknown.
    init?(_ requests: [any DrawingRequest], _ renderer: Renderer) {
        guard let folder = renderer.configuration.store?.folder, let machine = Self.machine else { return nil }
        let fingerprints = requests.compactMap { renderer.fingerprint(of: $0)?.digest }
        guard fingerprints.count == requests.count else { return nil }
        file = folder + "/class-probe.json"
        key = "\(Digest(of: "\(machine)\n\(fingerprints.map(\.description).joined(separator: "\n"))"))"
    }

    /// Nil if no valid digests exist.
    var parts: [ClassPart]? {
        guard let data = FileManager.default.contents(atPath: file),
            let content = try? JSONDecoder().decode(Content.self, from: data), content.key == key
        else { return nil }
        return content.parts
    }

    /// If this fails, the next start draws again.
    func keep(_ parts: [ClassPart]) {
        guard let data = try? JSONEncoder().encode(Content(key: key, parts: parts)) else { return }
        // The store creates the folder with its first picture, in the same way.
        let folder = (file as NSString).deletingLastPathComponent
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try? data.write(to: URL(fileURLWithPath: file), options: .atomic)
    }

    /// Identifies this boot and the processors' features.
    private static var machine: String? {
        guard let boot = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8),
            let processors = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
        else { return nil }
        let names = [
            "vendor_id", "cpu family", "model", "model name", "stepping", "flags", "Features", "CPU part", "isa",
        ]
        let lines = processors.split(separator: "\n").filter { line in
            names.contains(line.prefix { $0 != ":" }.trimmingCharacters(in: .whitespaces))
        }
        return boot + Set(lines).sorted().joined(separator: "\n")
    }
}
