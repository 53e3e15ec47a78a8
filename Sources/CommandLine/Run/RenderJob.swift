import Foundation
import Offstage
import OffstageService
import OffstageWebKit

/// Turns one input into files. Everything here runs off the main thread; only the engine switches to it.
struct RenderJob: Sendable {
    let job: Job
    let output: OutputPlan
    var options: RenderOptions
    /// Collects the files from which the picture is made; nil if nobody needs them.
    var sources: SourceFiles?

    private var input: Input { job.input }

    /// Draws, encodes and writes. Errors are in the result. Several results are those of an input's parts.
    func draw(with renderer: Renderer) async -> [PictureResult] {
        var snippet: Snippet
        do {
            if let file = input.sourceFile { sources?.add(file) }
            snippet = try input.snippet(limit: job.settings.snippet.limits.inputBytes)
        } catch {
            // These errors name the input themselves; the file of a row is not the row.
            if case .row(let row) = input, case .file = row.content { return [failure("\(row.name): \(error)")] }
            return [failure("\(error)")]
        }
        job.settings.snippet.apply(to: &snippet)
        if let sources, let base = snippet.base as? BaseFolder {
            snippet.base = RecordingFolder(folder: base, sources: sources)
        }
        var results = await draw(snippet, with: renderer)
        if results.contains(where: { $0.unavailable != nil || $0.isPutOff }) { return results }
        // Save the document of a failed picture, too: it helps most there.
        do {
            try output.save(snippet.html, of: job)
            for index in results.indices { results[index].html = output.htmlPath(of: job) }
            return results
        } catch {
            return [failure("\(input.name): \(error)")]
        }
    }

    private func draw(_ snippet: Snippet, with renderer: Renderer) async -> [PictureResult] {
        var snippet = snippet
        snippet.identifier = output.cacheIdentifier(of: job)
        snippet.extra = Origin.text(of: job)
        do throws(RenderError) {
            let all = try await renderer.files(for: snippet, as: job.settings.variants, options: options)
            var results: [PictureResult] = []
            for files in all {
                guard let result = await write(files) else { return await draw(snippet, again: renderer) }
                results.append(result)
            }
            return results
        } catch {
            return [failure("\(input.name): \(error.reason)", error.reason)]
        }
    }

    /// Draws again, because the cached files are missing or damaged.
    private func draw(_ snippet: Snippet, again renderer: Renderer) async -> [PictureResult] {
        var anew = self
        anew.options.usesCache = false
        return await anew.draw(snippet, with: renderer)
    }

    /// Nil if the cached bytes are missing.
    private func write(_ picture: RenderedFiles) async -> PictureResult? {
        let clock = ContinuousClock.now
        let part = picture.part.map { "-\($0)" } ?? ""
        let paths = output.paths(input.identifier, part: part, job.settings)
        do {
            // Do not write a file that already has the same bytes.
            for (index, file) in picture.files.enumerated()
            where !picture.isKept || paths.isEmpty || (try? Digest(ofFile: paths[index])) != file.content {
                guard let data = await file.data() else { return nil }
                if paths.isEmpty { try Console.print(data) } else { try output.write(data, to: paths[index]) }
            }
        } catch {
            return failure("\(input.name): \(error)")
        }
        return PictureResult(
            identifier: input.identifier + part, input: input,
            report: PictureReport(picture, at: paths, after: clock.duration(to: .now)))
    }

    /// The failure of a picture that was not drawn before the run's time limit.
    func failure(afterRunOf seconds: Double) -> PictureResult {
        let time = String(format: "%g", seconds)
        return failure("\(input.name): not drawn within the run's time, run-timeout is \(time) s; raise it")
    }

    private func failure(_ message: String, _ reason: DrawingError? = nil) -> PictureResult {
        var report = PictureReport(failure: message)
        if case .incomplete(let warnings) = reason { report.warnings = warnings }
        var result = PictureResult(identifier: input.identifier, input: input, report: report)
        if case .unavailable(let unavailable) = reason { result.unavailable = unavailable }
        if case .queueFull = reason { result.isPutOff = true }
        return result
    }
}
