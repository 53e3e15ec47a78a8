import Foundation
import Offstage
import OffstageRequests
import OffstageService

/// The files about a whole run: `--results`, the results as JSON lines; `--html`, a page with the pictures; and
/// `--depfile`, their dependencies. They are written when the run is over, completely or not at all.
struct ResultFiles: Sendable {
    let lines: String?
    let page: String?
    let depfile: String?
    /// The target of the depfile's only rule; nil if each picture has its own rule.
    let depfileTarget: String?

    init(_ options: ParsedOptions) throws(UsageError) {
        lines = options.string("results")
        page = options.string("html")
        depfile = options.string("depfile")
        depfileTarget = options.string("depfile-target")
        if depfileTarget != nil, depfile == nil { throw UsageError("--depfile-target requires --depfile") }
        if depfileTarget == "" {
            throw UsageError("--depfile-target needs a name: the build tool's name for the result")
        }
        if let depfileTarget, !Depfile.canName(depfileTarget) {
            throw UsageError(
                "--depfile-target cannot contain control characters, any of ; | = \\, or parentheses as in "
                    + "NAME(MEMBER): Make cannot read them in a name")
        }
        for (name, path) in paths where path.isEmpty { throw UsageError("--\(name) needs the name of a file") }
    }

    var isEmpty: Bool { paths.isEmpty }

    var paths: [(option: String, path: String)] {
        [("results", lines), ("html", page), ("depfile", depfile)].compactMap { name, path in path.map { (name, $0) } }
    }

    /// Checks, before anything is drawn, that these files do not collide with others.
    func check(_ found: JobSource.Jobs, _ output: OutputPlan) throws(UsageError) {
        if isEmpty { return }
        var own: Set<String> = []
        for (option, path) in paths {
            switch OutputFolder.kind(of: path) {
            case nil, S_IFREG: break
            case S_IFDIR: throw UsageError("--\(option) \(path) is a folder; name a file")
            default: throw UsageError("--\(option) \(path) is not a regular file; name one")
            }
            if !own.insert(absolutePath(path)).inserted {
                throw UsageError("two of --results, --html and --depfile name the same file, \(path); use two files")
            }
        }
        for job in found.jobs {
            for path in output.paths(job.input.identifier, job.settings) where own.contains(absolutePath(path)) {
                throw UsageError("\(path) is the picture of \(job.input.name); choose another path for the results")
            }
            if let path = output.htmlPath(of: job), own.contains(absolutePath(path)) {
                throw UsageError("\(path) is a file of --save-html; choose another path for the results")
            }
        }
        for source in found.rowFiles + found.files + found.jobs.compactMap(\.input.sourceFile)
        where own.contains(absolutePath(source)) {
            throw UsageError("\(source) would be replaced by the results; choose another path for them")
        }
        for (_, path) in paths { try OutputFolder.prepare(parentFolder(of: path), for: "the results") }
    }

    /// - Parameter inputs: the files that the run has read, which these files must not replace.
    func write(
        _ results: [PictureResult], _ dependencies: Depfile = Depfile(), keeping inputs: RunInputs? = nil
    ) throws {
        for (_, path) in paths { try inputs?.check(path, for: "the results") }
        if let depfile { try AtomicFile.update(depfile, to: Data(dependencies.text.utf8)) }
        if let lines {
            try AtomicFile.write(Data(results.map { $0.json + "\n" }.joined().utf8), to: lines)
        }
        if let page { try AtomicFile.update(page, to: Data(ResultPage(results, at: page).html.utf8)) }
    }
}
