import Offstage
import OffstageRequests

/// A run of `offstage browse`: what its windows show, and how. `OffstageBrowse` has the windows, so that this library
/// needs no widgets.
@MainActor
package struct BrowseRun {
    /// A single ink file, which opens for drawing; nil for a list, a grid or documents.
    package let ink: String?
    /// The number of rows, which repeat the inputs; nil for each input once.
    package let rowCount: Int?
    package let isGrid: Bool
    package let engines: EngineOptions
    /// The renderer's configuration, with the store of the user's options.
    package let configuration: RendererConfiguration
    /// Nil without `--bench`.
    package let bench: Bench?
    private let source: JobSource

    /// The environment variable that names GStreamer's element for sound output, such as `fakesink` on a machine
    /// without a sound device. The default finds the desktop's.
    package nonisolated static let sinkVariable = "OFFSTAGE_AUDIO_SINK"

    /// The names of the scripts by which the bench scrolls.
    package enum Script: String, CaseIterable {
        /// A wheel and flings, without a pause longer than a second: the hardest for a list.
        case sweep
        /// A person's movements: bursts of the wheel, flings, drags of the scroll bar, and pauses for reading.
        case people

        /// Seconds.
        package var duration: Int { self == .sweep ? 20 : 60 }
    }

    /// A way to show a list in the bench.
    package enum Way: String, CaseIterable {
        case governed, suspended, unlimited
        case none
        case live = "web-views"
    }

    /// The options of `--bench`.
    package struct Bench {
        package let script: Script
        package let seconds: Double
        package let ways: [Way]
        /// True to draw and store all rows before each way.
        package let isWarm: Bool
        package let isJSON: Bool

        init(_ options: ParsedOptions) throws(UsageError) {
            let script: Script = try options.choice("script") ?? .sweep
            self.script = script
            seconds = Double(try options.integer("seconds", in: 1...3_600) ?? script.duration)
            let isGrid = options.has("grid")
            ways = try options.choices("ways") ?? Way.allCases.filter { !isGrid || $0 != .live }
            if isGrid, ways.contains(.live) {
                throw UsageError("a grid has no web views; leave out --grid, or web-views of --ways")
            }
            (isWarm, isJSON) = (options.has("warm"), options.has("json"))
        }
    }

    /// Checks the options, and reads no input: `offstage` does this before it starts the program with the windows.
    init(_ options: ParsedOptions) throws(UsageError) {
        source = try JobSource(options, place: .folder("."))
        if source.readsStandardInput { throw UsageError("browse does not read standard input; name files or folders") }
        rowCount = try options.integer("rows", in: 1...10_000_000)
        isGrid = options.has("grid")
        engines = try EngineOptions(options)
        let others = ["json", "script", "seconds", "ways", "warm"]
        if !options.has("bench"), let other = others.first(where: options.has) {
            throw UsageError("--\(other) requires --bench")
        }
        bench = options.has("bench") ? try Bench(options) : nil
        configuration = try CacheOptions(options, isQuiet: false).configuration
        let isAlone = options.operands.count == 1 && !isGrid && rowCount == nil
        ink =
            isAlone && SourceRegistry.source(ofFile: options.operands[0]) === RegisteredSource.ink
            ? options.operands[0] : nil
    }

    /// Reads the inputs that the rows show; at least one.
    package func jobs() throws(UsageError) -> [Job] {
        let jobs = try source.jobs().jobs
        if jobs.isEmpty {
            throw UsageError("no rows to show; name HTML files, a folder of HTML files, or a manifest")
        }
        return jobs
    }
}
