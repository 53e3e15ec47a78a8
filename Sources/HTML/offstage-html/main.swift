import Foundation
import OffstageWebKit

// The worker for HTML: draws documents with WebKitGTK for the program that started it, which is at the other end of
// descriptor 3.

// Do this before anything starts a thread.
PinnedEnvironment.apply()
signal(SIGPIPE, SIG_IGN)
signal(SIGXFSZ, SIG_IGN)
ChildProcesses.adoptOrphans()
MainLoop.attach()
let conversation = Conversation()
conversation.holdUntilEnd()
ChildProcesses.endAll()
exit(0)
