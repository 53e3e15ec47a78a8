import Foundation
import Offstage
import OffstageWorkers

/// A kind of source that the command line, rows, the pipe, the service and the C library offer.
package final class RegisteredSource: Sendable {
    /// The name in messages and schemas.
    package let name: String
    /// The heading of its options in `--help`.
    package let title: String
    /// The key of rows that contain the document itself; nil for a source whose documents are files or bytes.
    package let textKey: String?
    /// Lower case, without a dot. A folder as input includes the files with these extensions.
    package let fileExtensions: [String]
    /// The extensions of files that belong to this source only if they are named explicitly; a folder as input does not
    /// include them.
    let namedExtensions: Set<String>
    /// The extensions of files that other documents may contain. Such a file in a folder is not an input if a document
    /// in the folder refers to it.
    let partExtensions: Set<String>
    /// The types of request bodies.
    package let mediaTypes: [MediaType]
    /// True: the source reads its files piece by piece, and they are never loaded into memory.
    let readsFiles: Bool
    /// Seconds: the default of `--timeout`.
    private let defaultTimeout: Double
    /// The options that rows may have, too.
    package let options: [OptionTable.Option]
    /// The options that only the command line has.
    package let limits: [OptionTable.Option]
    /// The names of a run's options that affect this source's documents, but not the documents of all sources. A row
    /// cannot have them.
    let runOptions: Set<String>
    /// The division of a document into several pictures on the command line; nil for a source whose documents are one picture each.
    package let parts: DocumentParts?
    /// Describes a document for `offstage info`; nil for a source whose documents have no facts to report.
    package let describe: SourceDescription?
    /// - Throws: `UsageError` for an invalid value, or a combination that makes no sense.
    let settings: @Sendable (ParsedOptions, FormatLimit?) throws(UsageError) -> any SourceSettings
    /// The codes of the warnings that its drawings may have.
    package let warnings: [DrawingWarning.Code]
    /// Recognizes, by its first bytes, a document of this source that has no name.
    package let recognizes: @Sendable (Data) -> Bool
    /// The jail of the workers that draw the source, for `doctor`; nil for a source without workers.
    package let protections: WorkerCheck?
    /// The number of pictures that justifies starting another view or worker.
    let picturesPerStart: Int
    let engine: @MainActor @Sendable (EngineOptions, _ views: Int) -> any Engine

    package struct MediaType: Sendable {
        package var name: String
        /// True for a text, which may have a charset.
        package var isText: Bool
        /// The default options for such a body.
        package var options: [String: String]

        package init(_ name: String, isText: Bool = false, options: [String: String] = [:]) {
            self.name = name
            self.isText = isText
            self.options = options
        }
    }

    /// - Parameters:
    ///   - title: the heading of its options in `--help`; default the name.
    ///   - readsFiles: true for a source that reads its files piece by piece. Default false.
    ///   - namedExtensions: further extensions, of files that a folder as input does not include. Default none.
    ///   - partExtensions: the `fileExtensions` of files that other documents may contain. Default none.
    ///   - timeout: the default of the option `timeout`, seconds. Default the time limit of `WorkerBudget`.
    ///   - recognizes: recognizes a document of this source by its first bytes. Default: never.
    ///   - protections: finds the jail of the source's workers. Default none.
    ///   - picturesPerStart: the number of pictures that justifies starting another view or worker. Default 4, for a worker that
    ///     draws a picture in some 5 ms.
    ///   - runOptions: the names of a run's options that affect the source, but not all sources, such as `fonts`.
    ///     Default none.
    ///   - parts: how the command line divides a document; default nil.
    ///   - describe: describes a document; default nil.
    ///   - warnings: all codes of its drawings' warnings.
    ///   - settings: makes the settings for the options of a command line or a row, and the largest picture that the files can
    ///     contain.
    ///   - engine: makes an engine. It must not start anything before its first drawing: a run may have no such source.
    package init(
        _ name: String, title: String? = nil, textKey: String? = nil, fileExtensions: [String],
        namedExtensions: Set<String> = [],
        partExtensions: Set<String> = [], readsFiles: Bool = false, timeout: Double = WorkerBudget().seconds,
        mediaTypes: [MediaType],
        options: [OptionTable.Option], limits: [OptionTable.Option] = [], runOptions: Set<String> = [],
        parts: DocumentParts? = nil,
        describe: SourceDescription? = nil,
        warnings: [DrawingWarning.Code],
        recognizes: @escaping @Sendable (Data) -> Bool = { _ in false },
        protections: WorkerCheck? = nil,
        picturesPerStart: Int = 4,
        settings: @escaping @Sendable (ParsedOptions, FormatLimit?) throws(UsageError) -> any SourceSettings,
        engine: @escaping @MainActor @Sendable (EngineOptions, _ views: Int) -> any Engine
    ) {
        self.name = name
        self.title = title ?? name
        self.textKey = textKey
        self.fileExtensions = fileExtensions
        self.namedExtensions = namedExtensions
        self.partExtensions = partExtensions
        self.readsFiles = readsFiles
        defaultTimeout = timeout
        self.mediaTypes = mediaTypes
        self.options = options
        self.limits = limits
        self.runOptions = runOptions
        self.warnings = warnings
        self.recognizes = recognizes
        self.protections = protections
        self.picturesPerStart = picturesPerStart
        self.parts = parts
        self.describe = describe
        self.settings = settings
        self.engine = engine
    }

    /// The time limit of a drawing, seconds.
    func timeout(_ options: ParsedOptions) throws(UsageError) -> Double {
        try options.positive("timeout", upTo: 86_400) ?? defaultTimeout
    }

    /// The declaration of an option of the source's documents; nil if the source does not have it. Excludes the options
    /// of `Settings.common`, which every source has.
    package func option(_ name: String) -> OptionTable.Option? {
        (options + limits + (parts?.options ?? [])).first { $0.name == name }
    }

    /// True for an option of the source's documents, regardless of where it is given.
    func takesAnywhere(_ name: String) -> Bool {
        option(name) != nil || Settings.common.contains { $0.name == name }
    }

    /// True for an option that can affect the source's documents.
    func isAffected(by name: String) -> Bool { takesAnywhere(name) || runOptions.contains(name) }

    /// False for an option that only other sources have.
    func takes(_ option: String) -> Bool {
        options.contains { $0.name == option } || Settings.common.contains { $0.name == option }
    }
}

/// The options of a source, applied to each of its documents.
package protocol SourceSettings: Sendable {
    /// The largest document, bytes.
    var inputLimit: Int { get }

    /// The page of the ink file to draw over the document's picture, from 1; nil if ink is never drawn over it, such as
    /// over a page without its annotations. Default 1.
    var overlayPage: Int? { get }

    /// The request with the box that its picture must fill. Called after ink has been added. Default the request
    /// itself.
    func boxed(_ request: any DrawingRequest) -> any DrawingRequest

    /// Looks for options that have no effect on the files of a picture.
    ///
    /// - Throws: `UsageError` that names the option.
    func check(_ options: ParsedOptions, for formats: [FileFormat]) throws(UsageError)

    /// Reads the document and makes a request of it. Called off the main thread.
    ///
    /// - Parameter identifier: the name of the picture in the cache.
    /// - Throws: `SourceFileError`.
    func request(for document: SourceDocument, identifier: String) throws(SourceFileError) -> any DrawingRequest
}

extension SourceSettings {
    package var overlayPage: Int? { 1 }

    package func boxed(_ request: any DrawingRequest) -> any DrawingRequest { request }

    package func check(_ options: ParsedOptions, for formats: [FileFormat]) throws(UsageError) {}
}

/// Starts a worker and returns its protections, or throws the reason why none can start.
package typealias WorkerCheck = @Sendable (EngineOptions) async throws(EngineUnavailable) -> WorkerProtections
