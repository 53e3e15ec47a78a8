import Foundation
import Offstage
import OffstageCommandLine
import OffstageRequests

/// The documents of a list's inputs. They are read off the main thread, so a slow disk does not delay a frame.
@MainActor
final class BrowseDocuments {
    private struct Entry {
        /// Nil if the document cannot be read.
        var document: SourceDocument?
        /// Identifies a state of the document.
        var state: State?
        /// The number of the document's bytes in memory.
        var size = 0
        var read = ContinuousClock.now
    }

    private enum State: Equatable {
        case content(Digest)
        /// For a file that is not loaded into memory.
        case file(size: Int, modified: Date)
    }

    private let jobs: [Job]
    private var documents: [Int: Entry] = [:]
    /// The cached documents, oldest first.
    private var order: [Int] = []
    private var bytes = 0
    /// The documents that are being read again.
    private var lookedAt: Set<Int> = []
    var onChange: ((Int) -> Void)?

    /// The limit of the cached documents, bytes. The last one is cached whatever its size.
    private static let limit = 256 << 20
    /// A document that was read longer ago is read again when it is used.
    private static let age = Duration.seconds(2)

    init(_ jobs: [Job]) { self.jobs = jobs }

    func hasRead(_ index: Int) -> Bool { documents[index] != nil }

    func read(_ index: Int) async {
        if documents[index] != nil { return }
        keep(await Self.entry(of: jobs[index]), of: index)
    }

    /// Nil if the document cannot be read.
    func document(of index: Int) -> SourceDocument? {
        guard let entry = documents[index] else { return nil }
        if entry.read.duration(to: .now) > Self.age { lookAgain(index) }
        return entry.document
    }

    private func lookAgain(_ index: Int) {
        guard jobs[index].input.sourceFile != nil, lookedAt.insert(index).inserted else { return }
        Task { [weak self, job = jobs[index]] in
            let entry = await Self.entry(of: job)
            guard let self else { return }
            lookedAt.remove(index)
            let isOther = documents[index].map { $0.state != entry.state } ?? false
            keep(entry, of: index)
            if isOther { onChange?(index) }
        }
    }

    private func keep(_ entry: Entry, of index: Int) {
        if let old = documents[index] {
            bytes -= old.size
            order.removeAll { $0 == index }
        }
        documents[index] = entry
        order.append(index)
        bytes += entry.size
        while bytes > Self.limit, order.count > 1 {
            bytes -= documents.removeValue(forKey: order.removeFirst())?.size ?? 0
        }
    }

    @concurrent
    private nonisolated static func entry(of job: Job) async -> Entry {
        guard let document = try? job.input.document(job.settings) else { return Entry() }
        let limit = job.settings.inputLimit
        guard let loaded = try? document.loaded(limit: limit) else { return Entry() }
        if let digest = loaded.digest {
            return Entry(
                document: loaded, state: .content(digest), size: (try? loaded.bytes(limit: limit).count) ?? 0)
        }
        let file = loaded.file.flatMap { try? FileManager.default.attributesOfItem(atPath: $0) }
        guard let file, let size = file[.size] as? Int, let modified = file[.modificationDate] as? Date else {
            return Entry()
        }
        return Entry(document: loaded, state: .file(size: size, modified: modified))
    }
}
