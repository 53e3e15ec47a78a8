import OffstageWebKit

Console.openMissing()
// Before anything starts a thread.
// A window is the user's: it has the user's language and theme.
let hasWindow = CommandLine.arguments.dropFirst().first == BrowseCommand.name
if !hasWindow { PinnedEnvironment.apply() }
Signals.catchEndings()
if !hasWindow { Signals.catchLossOfDisplay() }
ChildProcesses.adoptOrphans()

exit(with: CommandLineTool.run(Array(CommandLine.arguments.dropFirst())))
