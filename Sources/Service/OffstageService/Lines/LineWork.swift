import Foundation
import Offstage
import OffstageRequests

/// Draws a request and delivers its files.
package struct LineWork: Sendable {
    let request: ServiceRequest
    let control: RequestControl
    /// The folder that contains `place`.
    let output: OutputFiles?
    /// Nil for no files.
    let place: OutputFiles.Place?
    /// True if the report contains the files' bytes.
    let isInline: Bool
    /// True if `Result.bytes` contains the files' bytes.
    let keepsBytes: Bool
    /// The request's number in the session: later requests have higher numbers.
    let number: Int
    /// The files that the picture is made from; nil if it replaces none.
    private let inputs: RunInputs?

    package struct Result: Sendable {
        package var outcome: ServiceResult.Outcome
        let drawn: Swift.Result<[RenderedFiles], ServiceError>
        /// The bytes of each picture's files, if `keepsBytes`.
        package var bytes: [[Data]] = []
    }

    package init(
        request: ServiceRequest, control: RequestControl, output: OutputFiles?, place: OutputFiles.Place?,
        isInline: Bool = false, keepsBytes: Bool = false, number: Int
    ) {
        let isTaken = place?.paths(request.picture.settings.variants).contains { access($0, F_OK) == 0 } ?? false
        let inputs = isTaken ? RunInputs() : nil
        var request = request
        if let inputs { request.picture.document.readLog = { inputs.add($0) } }
        self.inputs = inputs
        (self.request, self.control, self.output, self.place) = (request, control, output, place)
        (self.isInline, self.keepsBytes, self.number) = (isInline, keepsBytes, number)
    }

    private struct Superseded: Error { let path: String }

    /// Errors are in the result.
    package func run(with service: PictureService) async -> Result {
        defer { if let place { output?.release(place) } }
        var request = request
        while true {
            do throws(ServiceError) {
                let pictures = try await service.files(for: request, control)
                if let (outcome, bytes) = await deliver(pictures) {
                    return Result(outcome: outcome, drawn: .success(pictures), bytes: bytes)
                }
                // The cached bytes were evicted meanwhile, or are damaged.
                request.options.usesCache = false
            } catch {
                return Result(outcome: ServiceResult.failure(error), drawn: .failure(error))
            }
        }
    }

    /// - Returns: nil if cached bytes were evicted.
    private func deliver(_ pictures: [RenderedFiles]) async -> (ServiceResult.Outcome, bytes: [[Data]])? {
        let name = request.picture.place
        do {
            var (reports, bytes): ([PictureReport], [[Data]]) = ([], [])
            for picture in pictures {
                guard let (report, data) = try await deliver(picture) else { return nil }
                reports.append(report)
                bytes.append(data)
            }
            return (pictures[0].part == nil ? .picture(reports[0]) : .parts(reports), bytes)
        } catch let error as Superseded {
            return (ServiceResult.failure(.superseded, "\(name): a later request has written \(error.path)"), [])
        } catch {
            return (ServiceResult.failure(.notWritten, "\(name): \(error)"), [])
        }
    }

    private func deliver(_ picture: RenderedFiles) async throws -> (PictureReport, bytes: [Data])? {
        let start = ContinuousClock.now
        let variants = request.picture.settings.variants
        let paths = place?.paths(variants, part: picture.part) ?? []
        var bytes: [Data] = []
        for (index, file) in picture.files.enumerated() {
            // Don't rewrite files that already have this content.
            var isThere = false
            if index < paths.count, let place, let output {
                isThere = output.holds(file.content, at: paths[index], in: place, for: number)
            }
            if !isInline, !keepsBytes, isThere || paths.isEmpty { continue }
            guard let data = await file.data() else { return nil }
            if isInline || keepsBytes { bytes.append(data) }
            if let place, let output, !isThere {
                try inputs?.check(paths[index])
                guard try output.write(data, to: paths[index], in: place, for: number) else {
                    throw Superseded(path: paths[index])
                }
            }
        }
        var report = PictureReport(picture, at: paths, after: start.duration(to: .now))
        if paths.isEmpty || isInline {
            for index in variants.indices {
                report.files[index].format = variants[index].format.name
                if isInline { report.files[index].data = bytes[index].base64EncodedString() }
            }
        }
        return (report, keepsBytes ? bytes : [])
    }
}
