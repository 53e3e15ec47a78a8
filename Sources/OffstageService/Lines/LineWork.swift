import Foundation
import Offstage
import OffstageRequests

/// A request on its way to its result.
package struct LineWork: Sendable {
    let request: ServiceRequest
    let control: RequestControl
    let delivery: LineDesk.Delivery
    let output: OutputFiles?
    /// Of the request among all of the session: a later one has a higher.
    let number: Int

    package struct Result: Sendable {
        package var outcome: ServiceResult.Outcome
        /// Nil where nothing was to be drawn.
        var finding: EngineFinding?
        /// Of each picture, its files' bytes, where the delivery keeps them.
        package var bytes: [[Data]] = []
    }

    package init(
        request: ServiceRequest, control: RequestControl, delivery: LineDesk.Delivery, output: OutputFiles?,
        number: Int
    ) {
        self.request = request
        self.control = control
        self.delivery = delivery
        self.output = output
        self.number = number
    }

    private struct Superseded: Error { let path: String }

    /// Draws and delivers; what goes wrong is in the result.
    package func run(with service: PictureService) async -> Result {
        defer { if let place = delivery.place { output?.release(place) } }
        var request = request
        while true {
            do throws(ServiceError) {
                let pictures = try await service.files(for: request, control)
                if let (outcome, bytes) = await deliver(pictures) {
                    return Result(outcome: outcome, finding: EngineFinding(pictures), bytes: bytes)
                }
                // The cached bytes were evicted meanwhile, or are damaged.
                request.treatment.refreshes = true
            } catch {
                return Result(outcome: ServiceResult.failure(error), finding: EngineFinding(error))
            }
        }
    }

    /// Nil where kept bytes are not there any more.
    private func deliver(_ pictures: [RenderedFiles]) async -> (ServiceResult.Outcome, bytes: [[Data]])? {
        let place = request.picture.place
        do {
            var (reports, bytes): ([PictureReport], [[Data]]) = ([], [])
            for picture in pictures {
                guard let (report, data) = try await deliver(picture) else { return nil }
                reports.append(report)
                bytes.append(data)
            }
            return (pictures[0].part == nil ? .picture(reports[0]) : .parts(reports), bytes)
        } catch let error as Superseded {
            return (ServiceResult.failure(.superseded, "\(place): a later request has put \(error.path) there"), [])
        } catch {
            return (ServiceResult.failure(.notWritten, "\(place): \(error)"), [])
        }
    }

    private func deliver(_ picture: RenderedFiles) async throws -> (PictureReport, bytes: [Data])? {
        let start = ContinuousClock.now
        let variants = request.picture.settings.variants
        let paths = delivery.place?.paths(variants, part: picture.part) ?? []
        var inline: [String] = []
        var bytes: [Data] = []
        for (index, file) in picture.files.enumerated() {
            // A file that is there and the same stays as it is.
            var isThere = false
            if picture.isKept, index < paths.count, let place = delivery.place, let output {
                isThere = output.holds(file.content, at: paths[index], in: place, for: number)
            }
            if !delivery.isInline, !delivery.keepsBytes, isThere || paths.isEmpty { continue }
            guard let data = await file.data() else { return nil }
            if delivery.isInline { inline.append(data.base64EncodedString()) }
            if delivery.keepsBytes { bytes.append(data) }
            if let place = delivery.place, let output, !isThere {
                guard try output.write(data, to: paths[index], in: place, for: number) else {
                    throw Superseded(path: paths[index])
                }
            }
        }
        var report = PictureReport(picture, at: paths, after: start.duration(to: .now))
        if paths.isEmpty || delivery.isInline {
            report.format = variants[0].format.name
            for index in report.also.indices { report.also[index].format = variants[index + 1].format.name }
        }
        if delivery.isInline {
            report.data = inline[0]
            for index in report.also.indices { report.also[index].data = inline[index + 1] }
        }
        return (report, bytes)
    }
}
