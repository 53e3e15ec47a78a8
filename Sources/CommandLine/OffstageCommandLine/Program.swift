import OffstageRequests
import OffstageWebKit

/// The program `offstage`.
@MainActor
package enum Program {
    /// Runs the command in this process's arguments, and ends the process. Call it before anything else, and only once.
    ///
    /// - Parameter sources: the sources that the program has in addition to HTML.
    package static func run(with sources: [RegisteredSource] = []) -> Never {
        for source in sources { SourceRegistry.register(source) }
        Console.openMissing()
        Console.keepDescriptors()
        SettingsPlace.find()
        // Do this before anything starts a thread. A window is for the user, so it has the user's language and theme.
        let hasWindow = BrowseCommand.opensWindow(CommandLine.arguments.dropFirst())
        if !hasWindow { PinnedEnvironment.apply() }
        Signals.catchEndings()
        if !hasWindow { Signals.catchLossOfDisplay() }
        ChildProcesses.adoptOrphans()
        exit(with: CommandLineTool.run(Array(CommandLine.arguments.dropFirst())))
    }
}
