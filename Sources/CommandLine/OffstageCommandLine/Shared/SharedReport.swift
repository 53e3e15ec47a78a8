import Foundation
import Offstage
import OffstageService
import OffstageShared

/// The output of `offstage shared`.
enum SharedReport {
    static func initialized(_ versions: (before: Int, now: Int), _ isJSON: Bool) -> [String] {
        if isJSON { return [json(["before": versions.before, "version": versions.now])] }
        if versions.before == versions.now { return ["the tables exist, schema \(versions.now)"] }
        return [
            versions.before == 0
                ? "tables and roles created, schema \(versions.now)"
                : "upgraded from schema \(versions.before) to \(versions.now)",
            "grant an account offstage_node (serve, work), offstage_client (render --via) or offstage_reader (shared stats)",
        ]
    }

    static func statistics(_ all: SharedStatistics, _ isJSON: Bool) -> [String] {
        if isJSON {
            let jobs = all.jobs.map { job -> [String: any Sendable] in
                ["class": job.machineClass, "state": job.state, "count": job.count, "oldest": job.oldest]
            }
            return [
                json([
                    "pictures": all.pictures, "pictureBytes": all.pictureBytes, "names": all.names, "jobs": jobs,
                    "liveNodes": all.liveNodes, "slots": all.slots, "counters": all.counters,
                    "diskBytes": all.diskBytes,
                ])
            ]
        }
        var lines = [
            "\(all.pictures) pictures, \(megabytes(all.pictureBytes)), and \(all.names) under clients' identifiers",
            "\(megabytes(all.diskBytes)) on PostgreSQL's disk",
            "\(all.liveNodes) live nodes, \(all.slots) drawings at once",
        ]
        lines += all.jobs.map {
            "\($0.count) \($0.state) of class \($0.machineClass), the oldest for \(Int($0.oldest)) s"
        }
        lines += all.counters.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        return lines
    }

    static func node(_ node: SharedNode, _ isJSON: Bool) -> String {
        if isJSON {
            var object: [String: any Sendable] = [
                "id": node.id, "name": node.name, "class": node.machineClass, "slots": node.slots,
                "version": node.version, "silence": node.silence, "live": node.isLive, "taken": node.taken,
                "parts": Dictionary(node.parts.map { ($0.name, $0.digest) }) { $1 },
            ]
            object["sources"] = node.sources
            return json(object)
        }
        let state = node.isLive ? "live" : "silent for \(Int(node.silence)) s"
        let only = node.sources.map { ", only \($0.joined(separator: ", "))" } ?? ""
        let work = node.slots == 0 ? "a client" : "\(node.taken) jobs, \(node.slots) at once\(only)"
        return "\(node.name)  class \(node.machineClass)  Offstage \(node.version)  \(work)  \(state)".printable
    }

    static func dead(_ job: DeadJob, _ isJSON: Bool) -> String {
        if isJSON {
            return json([
                "key": "\(job.key)", "client": job.client, "crashes": job.crashes, "age": job.age,
                "canRetry": job.canRetry,
            ])
        }
        return "\(job.key)  \(job.crashes) crashes  \(Int(job.age)) s ago  \(job.client)".printable
    }

    static func count(_ count: Int, _ word: String, _ isJSON: Bool) -> String {
        isJSON ? json([word: count]) : "\(count) \(word)"
    }

    /// Keys in alphabetical order. Encoding texts, numbers and lists of them cannot fail.
    private static func json(_ object: [String: any Sendable]) -> String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        let data = (try? JSONSerialization.data(withJSONObject: object, options: options)) ?? Data()
        return String(decoding: data.withoutControls, as: UTF8.self)
    }

    private static func megabytes(_ bytes: Int) -> String { String(format: "%.1f MB", Double(bytes) / 1e6) }
}
