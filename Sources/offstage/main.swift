import OffstageWebKit

Console.openMissing()
// Both before anything starts a thread.
PinnedEnvironment.apply()
Signals.catchEndings()

exit(with: CommandLineTool.run(Array(CommandLine.arguments.dropFirst())))
