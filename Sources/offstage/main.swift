import OffstageWebKit

Console.openMissing()
// Both before anything starts a thread.
PinnedEnvironment.apply()
Interruption.catchSignals()

exit(with: CommandLineTool.run(Array(CommandLine.arguments.dropFirst())))
