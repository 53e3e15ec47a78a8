import COffstageSystem
import Foundation
import OffstageWebKit
import OffstageWorkers

// The worker for HTML: draws documents with WebKitGTK for the program that started it, which is at the other end of
// descriptor 3.

// Do this before anything starts a thread.
PinnedEnvironment.apply()
signal(SIGPIPE, SIG_IGN)
signal(SIGXFSZ, SIG_IGN)
let channel = WorkerChannel.toHost()
End.catchSignals(of: channel)
ChildProcesses.adoptOrphans()
// The host draws the document again in another worker.
DisplayWatch.onLoss = { _ in End.now() }
MainLoop.attach()
let conversation = Conversation(channel)
conversation.holdUntilEnd()
End.now()
