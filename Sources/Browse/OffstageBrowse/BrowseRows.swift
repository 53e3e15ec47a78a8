import Foundation
import Offstage
import OffstageCommandLine
import OffstageGTK
import OffstageRequests
import OffstageWebKit

/// The inputs of a run as the rows of a list, repeated if more rows are wanted.
@MainActor
final class BrowseRows: ListSource {
    /// In the order of the rows.
    let jobs: [Job]
    /// The inputs' identifiers, or the names of files whose identifiers would be equal, such as `a.html` and `a.htm`.
    private let names: [String]
    private let documents: BrowseDocuments
    let rowCount: Int
    /// The default; options override it.
    var colorScheme = Emulation.ColorScheme.light
    private var listSettings: [ObjectIdentifier: Settings] = [:]
    private var listOptions: [String: [String]] = [:]
    /// One section per folder; empty for a single folder, and if inputs are repeated.
    private(set) lazy var sections = folders()

    /// - Parameter count: the number of rows; nil for one row per input.
    init(_ jobs: [Job], count: Int?) {
        let jobs = Self.byFolder(jobs)
        self.jobs = jobs
        names = Self.names(of: jobs)
        documents = BrowseDocuments(jobs)
        rowCount = jobs.isEmpty ? 0 : count ?? jobs.count
    }

    func input(at row: Int) -> Input { jobs[row % jobs.count].input }

    /// The number of a row's input.
    func inputNumber(at row: Int) -> Int { row % max(1, jobs.count) }

    /// The number of the repetition, from 1.
    func round(of row: Int) -> Int { row / jobs.count + 1 }

    func identifier(at row: Int) -> String {
        let name = names[row % jobs.count]
        return round(of: row) == 1 ? name : "\(name)#\(round(of: row))"
    }

    func plainText(at row: Int) -> String? { identifier(at: row) }

    func isReady(at row: Int) -> Bool { documents.hasRead(row % jobs.count) }

    func makeReady(at row: Int) async { await documents.read(row % jobs.count) }

    /// Called with the number of an input whose file has changed since it was read.
    var onChange: ((Int) -> Void)? {
        get { documents.onChange }
        set { documents.onChange = newValue }
    }

    /// True if a row shows an input.
    func shows(_ row: Int, input: Int) -> Bool { row >= 0 && row < rowCount && row % jobs.count == input }

    func request(at row: Int, width: Int, scale: Double) -> (any DrawingRequest)? {
        // Links and screen readers need the areas.
        request(at: row, ["areas": [], "width": ["\(width)"], "scale": ["\(scale)"]])
    }

    func request(at row: Int, _ options: [String: [String]]) -> (any DrawingRequest)? {
        let job = jobs[row % jobs.count]
        var options = options
        if colorScheme == .dark { options["color-scheme"] = ["dark"] }
        guard let document = documents.document(of: row % jobs.count),
            let settings = settings(of: job, with: options),
            let request = try? settings.request(for: document, identifier: identifier(at: row))
        else { return nil }
        guard var snippet = request as? Snippet, round(of: row) > 1 else { return request }
        // Make the document of each repetition different: rows with the same document would share a drawing.
        snippet.html.append(contentsOf: Data("<!-- \(row) -->".utf8))
        return snippet
    }

    /// A job's settings with the list's options. Cached until the list's options change.
    private func settings(of job: Job, with options: [String: [String]]) -> Settings? {
        if options != listOptions { (listOptions, listSettings) = (options, [:]) }
        if let known = listSettings[ObjectIdentifier(job.settings)] { return known }
        let own = job.settings
        let made = try? Settings(own.options.overlaid(with: options.mapValues { $0 }), of: own.source, note: own.note)
        listSettings[ObjectIdentifier(job.settings)] = made
        return made
    }

    /// The next row whose identifier contains a text, ignoring case, from `start` on and then from the beginning; nil
    /// if none does.
    func row(matching text: String, from start: Int) -> Int? {
        // The names are repeated with the inputs, so searching the inputs once is enough.
        let matching = jobs.indices.filter {
            names[$0].range(of: text, options: [.caseInsensitive, .diacriticInsensitive]) != nil
        }
        if let number = text.split(separator: "#").last.flatMap({ Int($0) }), text.contains("#") {
            return (0..<rowCount).first {
                identifier(at: $0).hasSuffix("#\(number)") && identifier(at: $0).contains(text)
            }
        }
        guard rowCount > 0, !matching.isEmpty else { return nil }
        let start = start % rowCount
        let base = start - start % jobs.count
        let later = matching.map { base + $0 }.filter { $0 >= start } + matching.map { base + jobs.count + $0 }
        return later.first { $0 < rowCount } ?? matching.first { $0 < rowCount }
    }
}
