import Foundation
import Offstage
import OffstageRequests
import OffstageService

/// The source of a run's jobs: files and folders, a manifest, or a template with data.
struct JobSource: Sendable {
    private enum Kind: Sendable {
        case operands([String])
        case manifest(String)
        case template(String, data: String)
    }

    /// The jobs, and the files from which they were read.
    struct Jobs: Sendable {
        var jobs: [Job]
        /// The files on which all jobs depend: the template, and the files that options name.
        var files: Set<String> = []
        /// The file of rows. Each job depends only on its own row.
        var rowFiles: [String] = []
        /// A line about each option that has no effect on these jobs.
        var warnings: [String] = []
    }

    private let kind: Kind
    private let options: ParsedOptions
    private let place: OutputPlan.Place
    /// A results page, which is not an input even if it is in an input folder.
    private let page: String?

    init(_ options: ParsedOptions, place: OutputPlan.Place) throws(UsageError) {
        kind = try Self.kind(options)
        self.options = options
        self.place = place
        page = options.string("html")
    }

    /// The folders where new inputs can appear.
    var folders: [String] {
        if case .operands(let operands) = kind { operands.filter { $0 != "-" } } else { [] }
    }

    /// The input folder, if any, that contains an output path.
    func folder(around place: OutputPlan.Place) -> String? {
        let target: String
        switch place {
        case .folder(let folder): target = absolutePath(folder)
        case .file(let file): target = absolutePath(file)
        case .standardOutput: return nil
        }
        return folders.first { (target + "/").hasPrefix(absolutePath($0) + "/") }
    }

    var readsStandardInput: Bool {
        switch kind {
        case .operands(let operands): operands.contains("-")
        case .manifest(let file): file == "-"
        case .template(_, let data): data == "-"
        }
    }

    private var isOperands: Bool { if case .operands = kind { true } else { false } }

    /// Reads the current jobs.
    func jobs() throws(UsageError) -> Jobs {
        // The values of rows are read with them.
        if !isOperands { try OptionUse(options).check() }
        var found = try read()
        // Standard input can be for any source, and so can a missing file.
        guard found.jobs.allSatisfy(\.input.hasSource) else { return found }
        let sources = SourceRegistry.all.filter { source in found.jobs.contains { $0.settings.source === source } }
        let use = OptionUse(options, among: sources)
        try use.check()
        found.warnings = use.withoutEffect(rowsAdd: !isOperands)
        if options.has("strict"), let first = found.warnings.first { throw UsageError(first) }
        return found
    }

    private func read() throws(UsageError) -> Jobs {
        let named = RowSettings.table.flatMap { $0.kind.paths(among: options.strings($0.name)) }
        switch kind {
        case .operands(let operands):
            let inputs = try InputList.expand(operands, leavingOut: ResultPage.isOne(page) ? page : nil)
            let bySource = inputs.map { ($0, $0.source) }
            let sources = SourceRegistry.all.filter { source in bySource.contains { $0.1 === source } }
            let isKnown = inputs.allSatisfy(\.hasSource)
            try OptionUse(options, among: isKnown ? sources : SourceRegistry.all).check()
            var jobs: [String: [Job]] = [:]
            for source in sources {
                var settings = RowSettings(options, file: place.file, folder: nil) { Origin.note($0) }
                for (input, itsSource) in bySource where itsSource === source {
                    jobs[input.name, default: []] += try self.jobs(of: input, source, &settings)
                }
            }
            return Jobs(jobs: inputs.flatMap { jobs.removeValue(forKey: $0.name) ?? [] }, files: Set(named))
        case .manifest(let path):
            let file = try RowFile(path, option: "--manifest")
            var settings = rowSettings(file)
            let jobs = try Manifest.jobs(file, &settings)
            return Jobs(jobs: jobs, files: settings.files.union(named), rowFiles: [path])
        case .template(let name, let data):
            let template = try RowTemplate(name)
            let file = try RowFile(data, option: "--data", isData: true)
            var settings = rowSettings(file)
            let jobs = try TemplateRow.jobs(file, template, &settings)
            return Jobs(jobs: jobs, files: settings.files.union(named + template.files), rowFiles: [data])
        }
    }

    /// The jobs of an operand: several if its source divides documents, such as into pages.
    private func jobs(
        of input: Input, _ source: RegisteredSource, _ settings: inout RowSettings
    ) throws(UsageError) -> [Job] {
        let whole = try settings.settings(for: [:], of: source, at: input.name)
        if case .standardInput = input { try checkIsWhole() }
        guard case .file(let path, let identifier) = input,
            let parts = try source.parts?.list(SourceDocument(file: path), OptionUse(options).options(for: source))
        else { return [Job(input, whole)] }
        var jobs: [Job] = []
        for part in parts {
            let input = Input.file(path: path, identifier: identifier + part.suffix)
            jobs.append(Job(input, try settings.settings(for: part.options, of: source, at: input.name)))
        }
        return jobs
    }

    /// Standard input is read only when it is drawn, so its parts are unknown until then.
    private func checkIsWhole() throws(UsageError) {
        let divides = SourceRegistry.parts.map(\.name).filter { options.has($0) }
        let severalVariants = options.string("variant")?.contains(",") == true ? ["variant"] : []
        guard let name = (divides + severalVariants).first else { return }
        throw UsageError("--\(name) gives several pictures, but standard input gives only one; name a file")
    }

    private func rowSettings(_ file: RowFile) -> RowSettings {
        RowSettings(options, file: place.file, folder: file.folder) { [options] in
            Origin.note($0, commandLine: options)
        }
    }

    private static func kind(_ options: ParsedOptions) throws(UsageError) -> Kind {
        let hasOperands = !options.operands.isEmpty
        switch (options.string("manifest"), options.string("template"), options.string("data")) {
        case (nil, nil, nil) where hasOperands: return .operands(options.operands)
        case (nil, nil, nil):
            throw UsageError("no input given; name a file, a folder of files, or - for standard input")
        case (nil, .some, nil): throw UsageError("--template needs --data FILE, the rows that go into it")
        case (nil, nil, .some): throw UsageError("--data requires --template")
        case (.some, nil, nil) where hasOperands:
            throw UsageError("--manifest and files to draw cannot be combined; put the files into the manifest")
        case (let manifest?, nil, nil): return .manifest(manifest)
        case (nil, .some, .some) where hasOperands:
            throw UsageError("--template and files to draw cannot be combined; use one")
        case (nil, let template?, let data?): return .template(template, data: data)
        default: throw UsageError("--manifest and --template cannot be combined; use one")
        }
    }
}
