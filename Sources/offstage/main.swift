import OffstageWebKit

Console.openMissing()
// Both before anything starts a thread.
PinnedEnvironment.apply()
Signals.catchEndings()
Signals.catchLossOfDisplay()
ChildProcesses.adoptOrphans()

exit(with: CommandLineTool.run(Array(CommandLine.arguments.dropFirst())))
