import Foundation
import Offstage
import OffstageWebKit

// Draws documents with only some of the layers that keep them off the network, so that tests can check each layer
// alone.
//
//   LayerProgram LAYER…   reads the paths of documents from standard input, one per line. Only the given layers are
//                         active: contentPolicy, contentFilter, navigationPolicy, proxy, features, namespace
//
// The program prints a line for each document: its name, and "drawn" or an error. Page scripts run for documents in a
// folder named `script`.

let layers = Set(CommandLine.arguments.dropFirst())
Layer.off = Set(Layer.allCases.filter { !layers.contains($0.rawValue) })
NetworkNamespace.isWanted = layers.contains("namespace")
PinnedEnvironment.apply()

let lanes = 4
let paths = Array(AnyIterator { readLine() })
try MainLoop.run {
    // Several documents at once: the more scripts may do, the longer their pages take to leave.
    let engine = WebEngine(views: lanes)
    await withTaskGroup(of: Void.self) { group in
        for lane in 0..<lanes {
            group.addTask {
                for index in stride(from: lane, to: paths.count, by: lanes) { await draw(paths[index], with: engine) }
            }
        }
    }
    // Whether WebKit's processes are in another namespace. Otherwise, a test could only see that nothing connected.
    print("namespace\t\(NetworkNamespace.holdsAll.map { "\($0)" } ?? "unknown")")
    await engine.shutDown()
}

@MainActor
func draw(_ path: String, with engine: WebEngine) async {
    let name = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
    do {
        var snippet = try Snippet(contentsOf: path)
        snippet.runsScripts = path.contains("/script/")
        snippet.timeout = 3
        _ = try await engine.draw(snippet)
        print("\(name)\tdrawn")
    } catch {
        print("\(name)\t\(error)")
    }
}
