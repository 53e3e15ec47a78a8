import OffstageWebKit

Console.openMissing()
// Before anything starts a thread.
// A window is the user's: it has the user's language and theme.
if CommandLine.arguments.dropFirst().first != BrowseCommand.name { PinnedEnvironment.apply() }
Signals.catchEndings()
Signals.catchLossOfDisplay()
ChildProcesses.adoptOrphans()

exit(with: CommandLineTool.run(Array(CommandLine.arguments.dropFirst())))
