import Foundation

/// The start of a process and the files that it can see, from `/proc`.
struct ProcessView {
    let id: pid_t

    /// The text of the variables that it was started with: NAME=value, each.
    var variables: [String] { text("environ").split(separator: "\0").map(String.init) }

    /// The names of its variables.
    var names: Set<String> { Set(variables.map { String($0.prefix { $0 != "=" }) }) }

    /// The target of each of its descriptors, such as `/dev/null` or `pipe:[4711]`.
    var descriptors: [Int: String] {
        let folder = "/proc/\(id)/fd"
        var all: [Int: String] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            guard let number = Int(name) else { continue }
            all[number] = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
        }
        return all
    }

    /// The capabilities that it could use; nil if the process has ended.
    var capabilities: UInt64? {
        text("status").firstMatch(of: #/\nCapEff:\s*([0-9a-f]+)/#).flatMap { UInt64($0.1, radix: 16) }
    }

    /// The program's path and arguments.
    var arguments: [String] { text("cmdline").split(separator: "\0").map(String.init) }

    /// The lines of `/proc/PID/status`, by name.
    var status: [String: String] {
        Dictionary(
            text("status").split(separator: "\n").compactMap { line in
                line.firstIndex(of: ":").map {
                    (
                        String(line[..<$0]),
                        line[line.index(after: $0)...].trimmingCharacters(in: .whitespaces)
                    )
                }
            }, uniquingKeysWith: { $1 })
    }

    /// The soft and the hard limit, by their names.
    var limits: [String: [String]] {
        Dictionary(
            text("limits").split(separator: "\n").map { row in
                (
                    row.prefix(26).trimmingCharacters(in: .whitespaces),
                    row.dropFirst(26).split(separator: " ").prefix(2).map(String.init)
                )
            }, uniquingKeysWith: { $1 })
    }

    /// Such as `net:[4026531840]`; nil if the process has ended.
    func namespace(_ kind: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(id)/ns/\(kind)")
    }

    struct Mount: Hashable {
        var path: String
        var isWritable: Bool
        /// The file system at a place: a kind that the sandbox makes, or `bound` for a part of the machine's.
        var kind: String
    }

    /// The places where something is mounted; of several at one place, the last, which hides the others.
    var mounts: [Mount] {
        var all: [String: Mount] = [:]
        for line in text("mountinfo").split(separator: "\n") {
            // Number, parent, device, root, place, options, and after a dash: kind, source, options (proc(5)).
            let fields = line.split(separator: " ").map(String.init)
            guard let dash = fields.firstIndex(of: "-"), dash > 5, fields.count > dash + 3 else { continue }
            let isWritable = fields[5].split(separator: ",").contains("rw")
            let kind = fields[dash + 1]
            // bubblewrap's own root has this name.
            let isOwn = ["/", "/newroot"].contains(fields[3]) && ["tmpfs", "proc", "devpts", "mqueue"].contains(kind)
            all[fields[4]] = Mount(path: fields[4], isWritable: isWritable, kind: isOwn ? kind : "bound")
        }
        return all.values.sorted { $0.path < $1.path }
    }

    private func text(_ file: String) -> String {
        // FileManager reads one page of it.
        let data = try? FileHandle(forReadingAtPath: "/proc/\(id)/\(file)")?.readToEnd()
        return String(decoding: data.flatMap { $0 } ?? Data(), as: UTF8.self)
    }
}
