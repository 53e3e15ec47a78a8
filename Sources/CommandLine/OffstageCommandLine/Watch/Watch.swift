import Foundation
import Offstage
import OffstageRequests
import OffstageService

/// Draws all inputs, then those that change, until a signal ends the program. The engine stays warm between the rounds.
@MainActor
final class Watch {
    /// The state of an input after the round that drew it.
    private struct Known {
        /// A row's line; empty for files.
        var content: Data
        var sources: SourceFiles
        var results: [PictureResult] = []
    }

    private let session: RenderSession
    private let monitors = FolderMonitors()
    private var known: [String: Known] = [:]
    /// Files that all pictures use, such as style sheets, which are read with the inputs.
    private var sharedFiles: Set<String> = []
    /// The last error of the whole input, so that it is reported once.
    private var complaint: String?

    init(_ session: RenderSession) { self.session = session }

    func run(with renderer: Renderer) async throws -> Never {
        var isFirst = true
        var folders: Set<String> = []
        while true {
            do {
                let (found, sources) = try look()
                if isFirst, !session.isQuiet { for warning in found.warnings { Console.error(warning) } }
                let hasNews =
                    try await draw(found, sources, with: renderer, isFirst: known.isEmpty) || complaint != nil
                complaint = nil
                folders = watched(found)
                if try monitors.watch(folders) { continue }
                if hasNews || isFirst { tellWaiting() }
            } catch let error as UsageError {
                // A manifest may be incomplete while it is being written: keep the pictures.
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
    /// - Returns: the jobs, and the shared files with their state before they were read, so that a change in between is
    ///   detected the next time.
    private func look() throws -> (JobSource.Jobs, SourceFiles) {
        let sources = SourceFiles()
        for path in sharedFiles { sources.add(path) }
        var found = try session.jobs()
        // The names of the shared files are known only after they have been read.
        while !found.files.isSubset(of: sources.paths) {
            for path in found.files { sources.add(path) }
            found = try session.jobs()
        }
        sharedFiles = found.files
        return (found, sources)
    }

    /// Draws new and changed inputs.
    ///
    /// - Parameters:
    ///   - shared: the files that all pictures use.
    ///   - isFirst: true for the first round, which draws everything.
    /// - Returns: true if anything had to be drawn.
    private func draw(
        _ found: JobSource.Jobs, _ shared: SourceFiles, with renderer: Renderer, isFirst: Bool
    ) async throws -> Bool {
        var due: [(key: String, picture: RenderJob)] = []
        var keys: Set<String> = []
        let inputs = RunInputs(of: found, for: session.output, and: session.files.paths.map(\.path))
        for job in found.jobs {
            let (key, content) = (job.key, job.input.content)
            keys.insert(key)
            if let known = known[key], known.content == content, known.sources.areUnchanged(since: shared) { continue }
            // An empty file is probably being written: it will change again.
            if !isFirst, let file = job.input.sourceFile, FileState(file)?.isEmpty == true { continue }
            // A file that has disappeared since the search is skipped: an event for it will follow.
            if !isFirst, case .file(let path, _) = job.input, FileState(path) == nil { continue }
            let sources = SourceFiles()
            sources.add(found.files, asIn: shared)
            known[key] = Known(content: content, sources: sources)
            let picture = RenderJob(
                job: job, output: session.output, options: session.cache.render, sources: sources, inputs: inputs)
            due.append((key, picture))
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
        try session.files.write(found.jobs.flatMap { known[$0.key]?.results ?? [] }, keeping: inputs)
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
    /// The identity of the input across rounds.
    fileprivate var key: String {
        switch input {
        case .row(let row): "row \(row.identifier)"
        // A document can have several pictures, such as pages.
        case .file(let path, let identifier): "file \(path)\0\(identifier)"
        // Differs from the key of the file, which may still appear.
        case .unusable(let path, _, _): "unusable \(path)"
        case .standardInput: "standard input"
        }
    }
}

extension Input {
    /// The part of the content that is in the row itself.
    fileprivate var content: Data {
        if case .row(let row) = self { row.file.content(of: row.line) } else { Data() }
    }
}
