import OffstageWebKit

Console.openMissing()
// Do this before anything starts a thread. A window belongs to the user, so it has the user's language and theme.
let hasWindow = BrowseCommand.opensWindow(CommandLine.arguments.dropFirst())
if !hasWindow { PinnedEnvironment.apply() }
Signals.catchEndings()
if !hasWindow { Signals.catchLossOfDisplay() }
ChildProcesses.adoptOrphans()

exit(with: CommandLineTool.run(Array(CommandLine.arguments.dropFirst())))
