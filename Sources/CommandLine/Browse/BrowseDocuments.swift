import Foundation
import Offstage
import OffstageWebKit

/// The documents of a list's inputs. They are read off the main thread, so a slow disk does not delay a frame.
@MainActor
final class BrowseDocuments {
    private struct Document {
        /// Nil if the document cannot be read.
        var snippet: Snippet?
        var read = ContinuousClock.now
        var bytes: Int { snippet?.html.count ?? 0 }
    }

    private let jobs: [Job]
    private var documents: [Int: Document] = [:]
    /// The cached documents, oldest first.
    private var order: [Int] = []
    private var bytes = 0
    /// The documents that are being read again.
    private var lookedAt: Set<Int> = []
    var onChange: ((Int) -> Void)?

    /// The limit of the cached documents, bytes. The last one is cached whatever its size.
    private static let limit = 64 << 20
    /// A document that was read longer ago is read again when it is used.
    private static let age = Duration.seconds(2)

    init(_ jobs: [Job]) { self.jobs = jobs }

    func hasRead(_ index: Int) -> Bool { documents[index] != nil }

    func read(_ index: Int) async {
        if documents[index] != nil { return }
        keep(await Self.snippet(of: jobs[index]), of: index)
    }

    /// Nil if the document cannot be read.
    func snippet(of index: Int) -> Snippet? {
        guard let document = documents[index] else { return nil }
        if document.read.duration(to: .now) > Self.age { lookAgain(index) }
        return document.snippet
    }

    private func lookAgain(_ index: Int) {
        guard jobs[index].input.sourceFile != nil, lookedAt.insert(index).inserted else { return }
        Task { [weak self, job = jobs[index]] in
            let snippet = await Self.snippet(of: job)
            guard let self else { return }
            lookedAt.remove(index)
            let isOther = documents[index].map { $0.snippet?.html != snippet?.html } ?? false
            keep(snippet, of: index)
            if isOther { onChange?(index) }
        }
    }

    private func keep(_ snippet: Snippet?, of index: Int) {
        if let old = documents[index] {
            bytes -= old.bytes
            order.removeAll { $0 == index }
        }
        let document = Document(snippet: snippet)
        documents[index] = document
        order.append(index)
        bytes += document.bytes
        while bytes > Self.limit, order.count > 1 {
            bytes -= documents.removeValue(forKey: order.removeFirst())?.bytes ?? 0
        }
    }

    @concurrent
    private nonisolated static func snippet(of job: Job) async -> Snippet? {
        try? job.input.snippet(limit: job.settings.snippet.limits.inputBytes)
    }
}
