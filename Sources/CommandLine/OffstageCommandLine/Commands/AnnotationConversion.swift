import Foundation
import Offstage
import OffstagePages
import OffstageRequests

/// Converts annotations between PDF documents and files: the part of `offstage convert` that is not about ink.
struct AnnotationConversion {
    enum Work {
        /// Writes annotations into a document; without a file, those beside the document.
        case save(annotations: String?, removal: AnnotationRemoval)
        /// Writes the annotations of a document as a sidecar or XFDF.
        case extract
        /// Converts an annotation file to the other format.
        case translate(document: String)
    }

    let input: String
    let output: String
    let isForced: Bool
    let options: ParsedOptions
    let work: Work

    /// Nil for ink files.
    ///
    /// - Parameter isForced: true to write over an input, and to change a certified document.
    init?(_ input: String, _ output: String, isForced: Bool, _ options: ParsedOptions) throws(UsageError) {
        func kind(_ path: String) -> String { (path as NSString).pathExtension.lowercased() }
        let (from, to) = (kind(input), kind(output))
        let removal = try AnnotationRemoval(options.string("remove-annotations"))
        let files = ["json", "xfdf"]
        let isFromPDF = from == "pdf"
        if let file = options.string("annotations"), !files.contains(kind(file)) {
            throw UsageError("--annotations takes a .json or .xfdf file, not '\(file.excerpt)'")
        }
        if isFromPDF, to == "pdf" {
            work = .save(annotations: options.string("annotations"), removal: removal)
        } else if isFromPDF, files.contains(to) {
            work = .extract
        } else if from == "xfdf" || files.contains(to) {
            guard files.contains(from), files.contains(to) else {
                throw UsageError(
                    from == "xfdf"
                        ? "convert writes \(input) as .json; to add it to a document, use: "
                            + "offstage convert DOCUMENT.pdf OUTPUT.pdf --annotations \(input)"
                        : "convert writes \(output) from the annotations of a .pdf, .json or .xfdf file, "
                            + "not from \(input)")
            }
            guard let document = options.string("document") else {
                throw UsageError("\(input) needs the page sizes of its document; name the document with --document")
            }
            work = .translate(document: document)
        } else {
            if removal != .none {
                throw UsageError("--remove-annotations requires a PDF document as input and as output")
            }
            if options.has("document") {
                throw UsageError("--document requires a .json or .xfdf annotation file as input")
            }
            if let file = options.string("annotations") {
                throw UsageError(
                    "--annotations=\(file) requires a PDF document as input and as output; for ink, leave the file out")
            }
            return nil
        }
        if case .translate = work {
        } else if options.has("document") {
            throw UsageError("--document requires a .json or .xfdf annotation file as input")
        }
        if case .save = work {
        } else if options.has("annotations") || removal != .none {
            let name = options.has("annotations") ? "annotations" : "remove-annotations"
            throw UsageError("--\(name) requires a PDF output")
        }
        (self.input, self.output, self.isForced, self.options) = (input, output, isForced, options)
    }

    func run() async throws -> ExitCode {
        do {
            switch work {
            case .save(let annotations, let removal): return try await save(annotations, removal)
            case .extract:
                let document = try AnnotatedDocument(file: input, options)
                let (file, losses) = try await document.extracted()
                if file.pages.isEmpty {
                    report(losses, of: input)
                    Console.error("\(input): the document has no annotations; nothing was written")
                    return .someFailed
                }
                return try await write(file, losses, of: document, inputs: [input])
            case .translate(let path):
                let document = try AnnotatedDocument(file: path, options)
                let (file, losses) = try await document.annotations(ofFile: input)
                return try await write(file, losses, of: document, inputs: [input, path])
            }
        } catch let error as AnnotationFailure {
            Console.error("\(error)")
            return .someFailed
        }
    }

    private var passwordFile: [(path: String, what: String)] {
        options.string("password-file").map { [($0, "the password file")] } ?? []
    }

    private func save(_ annotations: String?, _ removal: AnnotationRemoval) async throws -> ExitCode {
        let document = try AnnotatedDocument(file: input, options)
        let beside = AnnotationFile.path(beside: input)
        // A user who removes annotations does not want to add any.
        let path = annotations ?? (removal == .none || options.has("annotations") ? beside : nil)
        var (file, losses) = (AnnotationFile(), AnnotationLosses())
        if let path {
            if annotations == nil, access(path, F_OK) != 0 {
                throw UsageError("\(path) does not exist; name an annotation file: --annotations=FILE")
            }
            (file, losses) = try await document.annotations(ofFile: path)
            report(losses, of: path)
        }
        try await document.remove(removal, in: &file)
        let saved = try await document.saving(file, isForced: isForced)
        try KeptInputs.check(
            output,
            [(input, "the file to convert")] + (path.map { [($0, "the annotation file")] } ?? []) + passwordFile,
            isForced)
        try AtomicFile.update(output, to: saved.data)
        for warning in saved.warnings { Console.error("\(output): \(warning)") }
        return .success
    }

    private func write(
        _ file: AnnotationFile, _ losses: AnnotationLosses, of document: AnnotatedDocument, inputs: [String]
    ) async throws -> ExitCode {
        report(losses, of: input)
        var (data, more) = (Data(), AnnotationLosses())
        if output.lowercased().hasSuffix(".xfdf") {
            (data, more) = try await document.xfdf(of: file)
        } else {
            data = try file.data() + Data("\n".utf8)
        }
        // Annotations in a separate file are not in the document.
        let beside = [(AnnotationFile.path(beside: input), "the annotation file beside \(input)")]
        try KeptInputs.check(output, inputs.map { ($0, "an input") } + beside + passwordFile, isForced)
        try AtomicFile.update(output, to: data)
        report(more, of: output)
        return .success
    }

    private func report(_ losses: AnnotationLosses, of name: String) {
        for loss in losses.all { Console.error("\(name): left out: \(loss)") }
    }
}
