import Foundation
import Offstage
import OffstageWebKit

/// One input on its way to a file. Everything here runs off the main thread; only the engine hops there.
struct Picture: Sendable {
    let job: Job
    let output: OutputPlan
    /// Gets to know what the picture is made from; nil where nobody asks.
    var sources: SourceFiles?

    private var input: Input { job.input }

    /// Draws, encodes and writes; what goes wrong is in the result. Several results are those of an input's parts.
    func draw(with renderer: Renderer<WebEngine>) async -> [PictureResult] {
        var snippet: Snippet
        do {
            if let file = input.sourceFile { sources?.add(file) }
            snippet = try input.snippet()
        } catch {
            // These name the input themselves; a row's file is not the row.
            if case .row(let row) = input, case .file = row.content { return [failure("\(row.place): \(error)")] }
            return [failure("\(error)")]
        }
        job.settings.snippet.apply(to: &snippet)
        if let sources, let base = snippet.base as? BaseFolder {
            snippet.base = RecordingFolder(folder: base, sources: sources)
        }
        var results = await draw(snippet, with: renderer)
        if results.contains(where: { $0.unavailable != nil }) { return results }
        // Of a failed one too: there it helps most.
        do {
            try output.save(snippet.html, of: job)
            for index in results.indices { results[index].html = output.htmlPath(of: job) }
            return results
        } catch {
            return [failure("\(input.name): \(error)")]
        }
    }

    private func draw(_ snippet: Snippet, with renderer: Renderer<WebEngine>) async -> [PictureResult] {
        let images: [RenderedImage]
        do {
            images = try await renderer.images(for: snippet)
        } catch {
            return [failure("\(input.name): \(error.reason)", error.reason)]
        }
        return images.map { image in
            do { return try write(image) } catch { return failure("\(input.name): \(error)") }
        }
    }

    private func write(_ image: RenderedImage) throws -> PictureResult {
        let clock = ContinuousClock.now
        let part = image.part.map { "-\($0)" } ?? ""
        var files: [EncodedImage] = []
        for variant in job.settings.variants { files.append(try image.encoded(as: variant)) }
        let paths = output.paths(input.identifier, part: part, job.settings)
        try output.write(files, to: paths)
        let milliseconds = (image.duration + clock.duration(to: .now)) / .milliseconds(1)
        let also = zip(paths, files).dropFirst().map {
            PictureResult.File(path: $0, width: $1.size.width, height: $1.size.height, bytes: $1.data.count)
        }
        return PictureResult(
            identifier: input.identifier + part, input: input, status: image.isComplete ? .drawn : .incomplete,
            path: paths.first, size: image.size, scale: image.scale, bytes: files[0].data.count, also: also,
            milliseconds: milliseconds, warnings: image.warnings)
    }

    private func failure(_ message: String, _ reason: DrawingError? = nil) -> PictureResult {
        var result = PictureResult(identifier: input.identifier, input: input, status: .failed, error: message)
        if case .incomplete(let warnings) = reason { result.warnings = warnings }
        if case .unavailable(let unavailable) = reason { result.unavailable = unavailable }
        return result
    }
}
