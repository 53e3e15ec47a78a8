import Foundation
import Offstage
import OffstageRequests

extension PictureService {
    /// The counters, the queue and the cache, for a program.
    ///
    /// - Parameter underWay: the number of this program's unanswered requests.
    func statistics(underWay: Int) async -> [String: JSONValue] {
        let counters = renderer.counters
        var details: [String: JSONValue] = [
            "underWay": .integer(underWay), "waiting": .integer(renderer.waitingCount),
            "running": .integer(renderer.runningCount), "suspended": .bool(renderer.isSuspended),
            "counters": .object([
                "submitted": .integer(counters.submitted), "joined": .integer(counters.joined),
                "started": .integer(counters.started), "drawn": .integer(counters.drawn),
                "encoded": .integer(counters.encoded), "stored": .integer(counters.stored),
                "hitsInMemory": .integer(counters.hitsInMemory), "hitsOnDisk": .integer(counters.hitsOnDisk),
                "cancelled": .integer(counters.cancelled), "failed": .integer(counters.failed),
                "evicted": .integer(counters.evicted),
                "withdrawn": .integer(counters.withdrawn),
            ]),
        ]
        if let bytes = Self.residentBytes { details["residentBytes"] = .integer(bytes) }
        if let memory = renderer.configuration.files {
            details["memory"] = .object([
                "pictures": .integer(memory.count), "bytes": .integer(memory.bytes),
                "limitBytes": .integer(memory.limits.bytes),
            ])
        }
        if let store = renderer.configuration.store {
            let kept = await store.statistics()
            details["store"] = .object([
                "pictures": .integer(kept.pictures), "contentBytes": .integer(kept.contentBytes),
                "pinned": .integer(kept.pinned), "pinnedBytes": .integer(kept.pinnedBytes),
                "diskBytes": .integer(kept.diskBytes), "limitBytes": .integer(store.limits.bytes),
            ])
        }
        return details
    }

    /// The memory of this process, without the engine's processes, in bytes.
    package static var residentBytes: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
            let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}
