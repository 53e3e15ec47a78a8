import OffstageWebKit

Console.openMissing()
// Before anything starts a thread.
// A window is the user's: it has the user's language and theme.
let hasWindow = BrowseCommand.opensWindow(CommandLine.arguments.dropFirst())
if !hasWindow { PinnedEnvironment.apply() }
Signals.catchEndings()
if !hasWindow { Signals.catchLossOfDisplay() }
ChildProcesses.adoptOrphans()

exit(with: CommandLineTool.run(Array(CommandLine.arguments.dropFirst())))
