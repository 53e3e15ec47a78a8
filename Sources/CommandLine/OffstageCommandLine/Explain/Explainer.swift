import Foundation
import Offstage
import OffstageHTML
import OffstageRequests
import OffstageService

/// Determines whether a run would draw cached pictures again. It computes the same fingerprint as the run, and draws
/// nothing.
@MainActor
struct Explainer {
    let store: PictureStore
    /// Options that override those of the cached drawing.
    let options: ParsedOptions
    /// True: standard input contains the document to compare with that of the cached drawing.
    let readsStandardInput: Bool
    /// Computes fingerprints. It draws nothing, so no engine starts.
    private let renderer: Renderer

    init(store: PictureStore, options: ParsedOptions, readsStandardInput: Bool) throws(UsageError) {
        self.store = store
        self.options = options
        self.readsStandardInput = readsStandardInput
        renderer = try EngineOptions().renderer(views: 1)
    }

    func explain(_ drawing: CachedDrawing) async -> Explanation {
        var explanation = Explanation(identifier: drawing.identifier, state: .unknown)
        guard let origin = drawing.origin else {
            explanation.reasons = [
                .init(
                    kind: .source, message: "its sources were not recorded; render it again with --refresh")
            ]
            return explanation
        }
        let given = options(of: origin)
        if given.string("fonts").map(absolutePath) != PrivateFonts.folder.map(absolutePath) {
            let fonts = given.string("fonts") ?? "the machine's"
            explanation.reasons = [
                .init(kind: .fonts, message: "it uses other fonts (\(fonts)); explain it in a separate command")
            ]
            return explanation
        }
        do {
            let (job, document) = try job(of: origin, given, drawing)
            explanation.source = origin.file ?? job.input.origin
            explanation.reasons = try await reasons(drawing, origin, given, job, document)
            explanation.state = explanation.reasons.isEmpty ? .kept : .changed
        } catch {
            explanation.source = origin.file
            explanation.reasons = [.init(kind: .source, message: "\(error)")]
        }
        return explanation
    }

    /// The options of a run now: those of the cached drawing, overridden by the current ones.
    func options(of origin: Origin) -> ParsedOptions {
        var values = origin.options
        for (name, value) in options.values { values[name] = value }
        return ParsedOptions(values: values, operands: [])
    }

    /// The job, and the name of its document.
    private func job(
        of origin: Origin, _ given: ParsedOptions, _ drawing: CachedDrawing
    ) throws -> (job: Job, document: String) {
        let place: OutputPlan.Place =
            switch given.string("output") {
            case nil: .folder(parentFolder(of: drawing.identifier))
            case "-": .standardOutput
            default: .file(drawing.identifier)
            }
        let rows = given.string("manifest") ?? given.string("data")
        if rows == "-" || (rows == nil && origin.file == nil), !readsStandardInput {
            let what = rows == nil ? "its document" : "its row"
            throw UsageError("\(what) came from standard input; to compare, pass the current input with --stdin")
        }
        let operands = rows == nil ? [origin.file ?? "-"] : []
        let source = try JobSource(ParsedOptions(values: given.values, operands: operands), place: place)
        let jobs = try source.jobs().jobs
        guard let rows else {
            return (jobs[0], origin.file.map { "the file \($0)" } ?? "the document on standard input")
        }
        guard let job = jobs.first(where: { $0.input.identifier.utf8.elementsEqual(origin.identifier.utf8) }) else {
            throw UsageError("the row \(origin.identifier.quoted) is not in \(Self.shown(rows)) any more")
        }
        if let file = origin.file { return (job, "the file \(file)") }
        let template = given.string("template").map { ", or the template \($0)," } ?? ""
        return (job, "the row \(origin.identifier.quoted) of \(Self.shown(rows))\(template)")
    }

    private static func shown(_ file: String) -> String { file == "-" ? StandardInput.name : file }

    /// The reasons for a drawing: the differences of each file that the run would make. Empty if all are cached.
    private func reasons(
        _ drawing: CachedDrawing, _ origin: Origin, _ given: ParsedOptions, _ job: Job, _ document: String
    ) async throws -> [Explanation.Reason] {
        let request = try job.request()
        let now = Origin("{\"identifier\":\"\",\(job.settings.note)")
        let words = ChangeWords(
            old: origin.drawn ?? origin.options, new: now?.drawn ?? now?.options ?? [:], document: document)
        var reasons: [Explanation.Reason] = []
        for variant in job.settings.variants.map({ $0.resolved(for: request) }) {
            guard let keyed = renderer.keyed(request.scaled(to: variant.scale ?? request.scale)) else { continue }
            let kept = drawing.records.filter { $0.key.variant == variant.name }
            if await isCached(kept, variant, keyed) { continue }
            // If there are several scales, take the last drawing's first.
            let others = kept.isEmpty ? drawing.records.sorted { $0.stored > $1.stored } : kept
            var own = kept.isEmpty ? words.changes(of: ["format", "also"]) : []
            for record in others.prefix(1) {
                let digests = await digests(of: record, keyed)
                let staleness = record.info.staleness(against: keyed.fingerprint) { digests[$0] ?? nil }
                own += words.reasons(staleness, from: record.info.fingerprint, to: keyed.fingerprint)
            }
            if own.isEmpty {
                own = [.init(kind: .option, name: "format", message: "it is not cached as \(variant.name)")]
            }
            for reason in own where !reasons.contains(reason) { reasons.append(reason) }
        }
        return reasons
    }

    /// Looks for a picture as a run would: under its own name, then under any name with the same fingerprint.
    private func isCached(
        _ records: [PictureRecord], _ variant: FileVariant, _ keyed: KeyedRequest
    ) async -> Bool {
        let fingerprint = keyed.fingerprint
        var records = records.filter { $0.info.fingerprint == fingerprint }
        if records.isEmpty, let other = await store.record(fingerprint: fingerprint, variant: variant.name) {
            records = [other]
        }
        guard let first = records.first, records.count == first.info.partCount ?? 1 else { return false }
        let digests = await digests(of: first, keyed)
        return first.info.isCurrent(for: fingerprint) { digests[$0] ?? nil }
    }

    private func digests(of record: PictureRecord, _ keyed: KeyedRequest) async -> [String: Digest?] {
        var digests: [String: Digest?] = [:]
        for file in record.info.dependencies {
            digests.updateValue(await keyed.digest(of: file.path), forKey: file.path)
        }
        return digests
    }
}
