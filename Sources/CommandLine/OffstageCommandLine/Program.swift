import OffstageHTML
import OffstageRequests

/// The program `offstage`.
@MainActor
package enum Program {
    /// Shows the windows of `browse`, until the user has closed them.
    package typealias Windows = @MainActor (BrowseRun) throws -> Void

    /// Nil if `browse` starts another program, which has the windows.
    private(set) static var windows: Windows?
    /// True if this program has sources in addition to those of Offstage itself.
    private(set) static var hasMoreSources = false

    /// Runs the command in this process's arguments, and ends the process. Call it before anything else, and only once.
    ///
    /// - Parameters:
    ///   - sources: the sources that the program has in addition to HTML.
    ///   - windows: shows the windows of `browse` in this program: `BrowseWindows.show` of `OffstageBrowse`. Default
    ///     none: `browse` starts the program `offstage-browse`, which has no additional sources.
    package static func run(with sources: [RegisteredSource] = [], windows: Windows? = nil) -> Never {
        for source in sources { SourceRegistry.register(source) }
        hasMoreSources = !sources.isEmpty
        run(Array(CommandLine.arguments.dropFirst()), windows)
    }

    /// Runs the command `browse` with this process's arguments, and ends the process, as `run`: the program
    /// `offstage-browse`.
    package static func browse(windows: @escaping Windows) -> Never {
        run(["browse"] + CommandLine.arguments.dropFirst(), windows)
    }

    private static func run(_ arguments: [String], _ windows: Windows?) -> Never {
        self.windows = windows
        Console.openMissing()
        SettingsPlace.find()
        let hasWindow = BrowseCommand.opensWindow(arguments[...])
        // Another program shows the window. It starts with this one's environment, signals and descriptors.
        if hasWindow, windows == nil { exit(with: CommandLineTool.run(arguments)) }
        Console.keepDescriptors()
        // Do this before anything starts a thread. A window is for the user, so it has the user's language and theme.
        if !hasWindow { PinnedEnvironment.apply() }
        Signals.catchEndings()
        ChildProcesses.adoptOrphans()
        exit(with: CommandLineTool.run(arguments))
    }
}
