import Foundation
import Offstage
import OffstageRequests
import OffstageWebKit

/// Draws all inputs, then again what changes, until a signal ends the program. The engine stays warm between the rounds.
@MainActor
final class Watch {
    /// What is known of an input from the round that drew it.
    private struct Known {
        /// A row's line; empty for files.
        var content: Data
        var sources: SourceFiles
        var results: [PictureResult] = []
    }

    private let session: RenderSession
    private let monitors = FolderMonitors()
    private var known: [String: Known] = [:]
    /// What all pictures go by, such as style sheets, which is read with the inputs.
    private var sharedFiles: Set<String> = []
    /// The last thing that was wrong with the whole of it, told once.
    private var complaint: String?

    init(_ session: RenderSession) { self.session = session }

    func run(with renderer: Renderer) async throws -> Never {
        var isFirst = true
        var folders: Set<String> = []
        while true {
            do {
                let (found, sources) = try look()
                let hasNews =
                    try await draw(found, sources, with: renderer, isFirst: known.isEmpty) || complaint != nil
                complaint = nil
                folders = watched(found)
                if try monitors.watch(folders) { continue }
                if hasNews || isFirst { tellWaiting() }
            } catch let error as UsageError {
                // A manifest that is being written, say: what was drawn stays.
                if isFirst && known.isEmpty { throw error }
                if complaint != error.description { Console.error(error.description) }
                complaint = error.description
            }
            isFirst = false
            await monitors.settle()
        }
    }

    /// Reads the inputs.
    ///
    /// - Returns: also the shared files as they were before they were read: one that changes meanwhile is another the next time.
    private func look() throws -> (JobSource.Jobs, SourceFiles) {
        let sources = SourceFiles()
        for path in sharedFiles { sources.add(path) }
        var found = try session.jobs()
        // Which there are shows when they have been read.
        while !found.files.isSubset(of: sources.paths) {
            for path in found.files { sources.add(path) }
            found = try session.jobs()
        }
        sharedFiles = found.files
        return (found, sources)
    }

    /// Draws what is new or not what it was.
    ///
    /// - Parameters:
    ///   - shared: the files that all go by.
    ///   - isFirst: the round in which everything is drawn.
    /// - Returns: whether there was anything to do.
    private func draw(
        _ found: JobSource.Jobs, _ shared: SourceFiles, with renderer: Renderer, isFirst: Bool
    ) async throws -> Bool {
        var due: [(key: String, picture: Picture)] = []
        var keys: Set<String> = []
        for job in found.jobs {
            let (key, content) = (job.key, job.input.content)
            keys.insert(key)
            if let known = known[key], known.content == content, known.sources.areUnchanged(since: shared) { continue }
            // A file that is empty now is being written: it will change once more.
            if !isFirst, let file = job.input.sourceFile, FileStamp(file).isEmptyFile { continue }
            // One that has gone since it was looked for is looked for once more: that it went is news on its way.
            if !isFirst, case .file(let path, _) = job.input, FileStamp(path).isMissing { continue }
            let sources = SourceFiles()
            sources.add(found.files, asIn: shared)
            known[key] = Known(content: content, sources: sources)
            due.append(
                (key, Picture(job: job, output: session.output, options: session.cache.render, sources: sources)))
        }
        let gone = known.keys.filter { !keys.contains($0) }
        for key in gone { known[key] = nil }
        if due.isEmpty, gone.isEmpty { return false }
        if !due.isEmpty {
            var index = 0
            _ = try await session.draw(due.map(\.picture), with: renderer) { results in
                known[due[index].key]?.results = results
                index += 1
            }
        }
        try session.files.write(found.jobs.flatMap { known[$0.key]?.results ?? [] })
        return !due.isEmpty
    }

    private func watched(_ found: JobSource.Jobs) -> Set<String> {
        var files = found.files.union(found.rowFiles)
        for known in known.values { files.formUnion(known.sources.paths) }
        return WatchedFolders.all(trees: session.source.folders, files: files)
    }

    private func tellWaiting() {
        if session.tells { Console.line("watching for changes; Ctrl-C ends") }
    }
}

extension Job {
    /// What the input is from one round to the next.
    fileprivate var key: String {
        switch input {
        case .row(let row): "row \(row.identifier)"
        case .file(let path, _): "file \(path)"
        // Not the same as the file, which may still come.
        case .unusable(let path, _): "unusable \(path)"
        case .standardInput: "standard input"
        }
    }
}

extension Input {
    /// What is drawn, as far as it is in the row itself.
    fileprivate var content: Data {
        if case .row(let row) = self { row.file.content(of: row.line) } else { Data() }
    }
}
