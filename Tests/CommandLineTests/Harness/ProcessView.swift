import Foundation

/// How a process was started and which files it can see, from `/proc`.
struct ProcessView {
    let id: pid_t

    /// The environment that the process was started with, as NAME=value.
    var variables: [String] { text("environ").split(separator: "\0").map(String.init) }

    /// The names of its environment variables.
    var names: Set<String> { Set(variables.map { String($0.prefix { $0 != "=" }) }) }

    /// The target of each descriptor, such as `/dev/null` or `pipe:[4711]`.
    var descriptors: [Int: String] {
        let folder = "/proc/\(id)/fd"
        var all: [Int: String] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            guard let number = Int(name) else { continue }
            all[number] = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
        }
        return all
    }

    /// The capabilities that the process could use; nil if it has ended.
    var capabilities: UInt64? {
        text("status").firstMatch(of: #/\nCapEff:\s*([0-9a-f]+)/#).flatMap { UInt64($0.1, radix: 16) }
    }

    /// The program's path and arguments.
    var arguments: [String] { text("cmdline").split(separator: "\0").map(String.init) }

    /// The lines of `/proc/PID/status`, keyed by name.
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

    /// The soft and hard limits, keyed by name.
    var limits: [String: [String]] {
        Dictionary(
            text("limits").split(separator: "\n").map { row in
                (
                    row.prefix(26).trimmingCharacters(in: .whitespaces),
                    row.dropFirst(26).split(separator: " ").prefix(2).map(String.init)
                )
            }, uniquingKeysWith: { $1 })
    }

    /// A namespace such as `net:[4026531840]`; nil if the process has ended.
    func namespace(_ kind: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(id)/ns/\(kind)")
    }

    struct Mount: Hashable {
        var path: String
        var isWritable: Bool
        /// The file system at a path: a kind that the sandbox creates, or `bound` for a part of the machine's.
        var kind: String
    }

    /// The mount points. If several file systems are mounted at one path, the last one hides the others.
    var mounts: [Mount] {
        var all: [String: Mount] = [:]
        for line in text("mountinfo").split(separator: "\n") {
            // The fields are number, parent, device, root, path and options, and after a dash, kind, source and
            // options (proc(5)).
            let fields = line.split(separator: " ").map(String.init)
            guard let dash = fields.firstIndex(of: "-"), dash > 5, fields.count > dash + 3 else { continue }
            let isWritable = fields[5].split(separator: ",").contains("rw")
            let kind = fields[dash + 1]
            // This is the name of bubblewrap's own root.
            let isOwn = ["/", "/newroot"].contains(fields[3]) && ["tmpfs", "proc", "devpts", "mqueue"].contains(kind)
            all[fields[4]] = Mount(path: fields[4], isWritable: isWritable, kind: isOwn ? kind : "bound")
        }
        return all.values.sorted { $0.path < $1.path }
    }

    private func text(_ file: String) -> String {
        // FileManager reads only one page of this file.
        let data = try? FileHandle(forReadingAtPath: "/proc/\(id)/\(file)")?.readToEnd()
        return String(decoding: data.flatMap { $0 } ?? Data(), as: UTF8.self)
    }
}
