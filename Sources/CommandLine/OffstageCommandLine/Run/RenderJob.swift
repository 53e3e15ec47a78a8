import Foundation
import Offstage
import OffstageHTML
import OffstageRequests
import OffstageService

/// Turns one input into files. Everything here runs off the main thread; only the engine switches to it.
struct RenderJob: Sendable {
    private(set) var job: Job
    let output: OutputPlan
    var options: RenderOptions
    /// Collects the files from which the picture is made; nil if they are not needed.
    var sources: SourceFiles?
    /// The files that the whole run reads. Nil if the run replaces no file.
    var inputs: RunInputs?
    /// Other machines that draw; nil to draw on this machine.
    var via: ViaRun?
    /// True: nothing but errors is printed.
    var isQuiet = false

    private var input: Input { job.input }

    /// Reads the document, and makes the request for its picture.
    func request() throws -> any DrawingRequest {
        if let file = input.sourceFile { sources?.add(file) }
        return try job.request(identifier: output.cacheIdentifier(of: job), log: log) {
            if !isQuiet { Console.error($0) }
        }
    }

    private var log: SourceDocument.ReadLog? {
        if sources == nil, inputs == nil { return nil }
        return { [sources, inputs] path in
            sources?.add(path)
            inputs?.add(path)
        }
    }

    /// Draws, encodes and writes. Errors are in the result. An input with several parts has several results.
    func draw(with renderer: Renderer) async -> [PictureResult] {
        var request: any DrawingRequest
        do { request = try self.request() } catch {
            // File errors name the input themselves, but a row's file is not the row.
            if case .row(let row) = input, row.sourceFile != nil { return [failure("\(row.name): \(error)")] }
            return [failure("\(error)")]
        }
        request.extra = Origin.text(of: job)
        let results = await draw(request, with: renderer)
        return results.contains { $0.unavailable != nil } ? results : withHTML(results, of: request)
    }

    private func draw(_ request: any DrawingRequest, with renderer: Renderer) async -> [PictureResult] {
        do throws(RenderError) {
            var options = options
            let isDrawnElsewhere =
                try await via?.requests.draw(request, job.settings, options, for: renderer) { [job] in
                    try job.input.document(job.settings)
                } ?? false
            // With --refresh, the machine that drew the picture did not look into this cache.
            if isDrawnElsewhere { options.usesCache = true }
            var all = try await renderer.filesAndFailures(
                for: request, as: job.settings.variants, options: options)
            if isDrawnElsewhere { all = all.map(\.asDrawn) }
            var results: [PictureResult] = []
            for files in all {
                guard let result = await write(files) else {
                    // The cached files are missing or damaged.
                    var anew = self
                    anew.options.usesCache = false
                    return await anew.draw(request, with: renderer)
                }
                results.append(result)
            }
            return results
        } catch {
            if via != nil, job.settings.variants.count > 1, error.reason.isOfTheFile {
                // Only this machine can tell which of the files has failed.
                var here = self
                here.via = nil
                return await here.draw(request, with: renderer)
            }
            return [failure("\(input.name): \(error.reason)", error.reason)]
        }
    }

    /// Nil if the cached bytes are missing.
    private func write(_ picture: RenderedFiles) async -> PictureResult? {
        let (clock, paths) = (ContinuousClock.now, paths(of: picture))
        do {
            for index in picture.files.indices where needsWriting(picture, index, paths) {
                guard let data = await picture.files[index].data() else { return nil }
                try write(data, index, paths)
            }
        } catch {
            return failure("\(input.name): \(error)")
        }
        return result(picture, paths, since: clock)
    }

    /// Writes cached files. The store lends their bytes. Errors are in the result.
    ///
    /// - Returns: nil if bytes are damaged.
    func write(
        _ all: [RenderedFiles], of request: any DrawingRequest, _ lend: (RenderedFiles.File, (Data) -> Void) -> Bool
    ) -> [PictureResult]? {
        var results: [PictureResult] = []
        for picture in all {
            let (clock, paths) = (ContinuousClock.now, paths(of: picture))
            var problem: (any Error)?
            for index in picture.files.indices where problem == nil && needsWriting(picture, index, paths) {
                let isThere = lend(picture.files[index]) { data in
                    do { try write(data, index, paths) } catch { problem = error }
                }
                if !isThere { return nil }
            }
            results.append(
                problem.map { failure("\(input.name): \($0)") } ?? result(picture, paths, since: clock))
        }
        return withHTML(results, of: request)
    }

    /// The paths of the files that were made.
    private func paths(of picture: RenderedFiles) -> [String] {
        let all = output.paths(input.identifier, part: picture.suffix, job.settings)
        return all.indices.filter { picture.failures[$0] == nil }.map { all[$0] }
    }

    /// The further files that could not be made, in the order of the command line.
    private func failures(_ picture: RenderedFiles) -> [Int: PictureReport.FailedFile] {
        if picture.failures.isEmpty { return [:] }
        let all = output.paths(input.identifier, part: picture.suffix, job.settings)
        return picture.failures.reduce(into: [:]) { failures, one in
            failures[one.key] = PictureReport.FailedFile(
                path: one.key < all.count ? all[one.key] : nil, error: "\(input.name): \(one.value)")
        }
    }

    /// False for a file that already has the same bytes: its time stays the same, so Make has nothing to do.
    private func needsWriting(_ picture: RenderedFiles, _ index: Int, _ paths: [String]) -> Bool {
        paths.isEmpty || (try? Digest(ofFile: paths[index])) != picture.files[index].content
    }

    private func write(_ data: Data, _ index: Int, _ paths: [String]) throws {
        if paths.isEmpty { return try Console.print(data) }
        try inputs?.check(paths[index])
        try output.write(data, to: paths[index])
    }

    private func result(
        _ picture: RenderedFiles, _ paths: [String], since start: ContinuousClock.Instant
    ) -> PictureResult {
        PictureResult(
            identifier: input.identifier + picture.suffix, input: input,
            report: PictureReport(
                picture.adding(job.settings.withoutEffect), at: paths, after: start.duration(to: .now),
                failures(picture)))
    }

    /// Saves the document even if the picture has failed: that is when it helps most.
    private func withHTML(_ results: [PictureResult], of request: any DrawingRequest) -> [PictureResult] {
        guard let html = (request.innermost as? Snippet)?.html else { return results }
        do {
            try output.save(html, of: job)
            var results = results
            for index in results.indices { results[index].html = output.htmlPath(of: job) }
            return results
        } catch {
            return [failure("\(input.name): \(error)")]
        }
    }

    /// The failure of a picture that was not drawn before the run's time limit.
    func failure(afterRunOf seconds: Double) -> PictureResult {
        let time = String(format: "%g", seconds)
        return failure("\(input.name): not drawn within the run's time limit of \(time) s; raise --run-timeout")
    }

    private func failure(_ message: String, _ reason: DrawingError? = nil) -> PictureResult {
        var report = PictureReport(failure: message)
        if case .incomplete(let warnings) = reason { report.warnings = warnings }
        var result = PictureResult(identifier: input.identifier, input: input, report: report)
        if case .unavailable(let unavailable) = reason { result.unavailable = unavailable }
        return result
    }
}

extension RenderedFiles {
    /// The end of a part's identifier and name.
    fileprivate var suffix: String { part.map { "-\($0)" } ?? "" }
}
